/** What a disk may hold after the power was cut in the middle of a recorded run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type NameChange,
  type FileNode,
  type Trace,
  type Truncate,
  type Write,
  folderOf,
} from "./disk-trace.ts";

type Change = Write | Truncate;

const SECTOR_BYTES = 512;

export interface CutPoint {
  /** Nothing that began on this line or later has happened. */
  line: number;
  random(): number;
  /** The disk had time for everything. */
  isWhole?: boolean;
}

/** Files and folders by path below the root; undefined: a folder. */
export type Image = Map<string, Buffer | undefined>;

/**
 * Images of one trace, for cuts in ascending order. What was synced is there. Of all else, names as well as bytes, some is and some is
 * not; of one write the beginning, to the end of a sector.
 */
export function imageMaker(trace: Trace): (cut: CutPoint) => Image {
  const contents = new Map<FileNode, Content>();
  const contentOf = (node: FileNode): Content => {
    const known = contents.get(node) ?? new Content(node);
    contents.set(node, known);
    return known;
  };
  return (cut) => {
    // Some disks bring most of it, some nearly nothing.
    const share = cut.random();
    const isBrought = () => cut.isWhole === true || cut.random() < share;
    const names = namesAt(trace, cut.line, isBrought);
    const files = [...names].filter(([, node]) => !node.isFolder);
    const torn = cut.isWhole === true ? undefined : files[Math.floor(cut.random() * files.length)]?.[1];
    const image: Image = new Map();
    for (const [path, node] of names) {
      image.set(path, node.isFolder ? undefined : contentOf(node).at(cut, isBrought, node === torn));
    }
    return image;
  };
}

/** All that was written, as if the disk had kept everything. */
export function wholeImage(trace: Trace): Image {
  return imageMaker(trace)({ line: Infinity, random: () => 0, isWhole: true });
}

export function writeImage(image: Image, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, bytes] of image) {
    if (bytes === undefined) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), bytes);
  }
}

/** When this was certainly on the disk, seen from the cut: the last sync that was over by then. */
function syncedUpTo(node: FileNode, line: number): number {
  let last = -1;
  for (const { start, end } of node.syncs) if (end < line && start > last) last = start;
  return last;
}

function namesAt(trace: Trace, line: number, isBrought: () => boolean): Map<string, FileNode> {
  const names = new Map<string, FileNode>();
  for (const nameChange of trace.namings) {
    if (nameChange.start >= line) continue;
    const isSure = nameChange.end < syncedUpTo(nameChange.folder, line);
    if (isSure || isBrought()) rename(names, nameChange, isSure);
  }
  // What lies in a folder that is lost is lost.
  for (const path of [...names.keys()].sort()) {
    const folder = folderOf(path);
    if (folder !== "" && !names.has(folder)) names.delete(path);
  }
  return names;
}

function rename(names: Map<string, FileNode>, { from, to, node }: NameChange, isSure: boolean): void {
  // A name that was lost cannot be moved, unless the disk is sure to have it at its new place.
  if (from !== undefined && to !== undefined && !isSure && names.get(from) !== node) return;
  if (from !== undefined && names.get(from) === node) names.delete(from);
  if (to !== undefined) names.set(to, node);
}

/** The bytes of a file, from cut to cut. */
class Content {
  readonly #node: FileNode;
  #bytes = Buffer.alloc(0);
  #length = 0;
  /** So many changes are in `bytes`: they were synced. */
  #kept = 0;

  constructor(node: FileNode) {
    this.#node = node;
  }

  at({ line, random }: CutPoint, isBrought: () => boolean, isTorn: boolean): Buffer {
    const { changes } = this.#node;
    const sure = syncedUpTo(this.#node, line);
    for (;;) {
      const change = changes[this.#kept];
      if (change === undefined || change.end >= sure) break;
      this.#apply(change);
      this.#kept++;
    }
    const pending = changes.slice(this.#kept).filter((change) => change.start < line);
    if (pending.length === 0) return Buffer.from(this.#bytes.subarray(0, this.#length));
    const scratch = new Content(this.#node);
    scratch.#bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    scratch.#length = this.#length;
    const brought = pending.filter((change) => change.end < sure || isBrought());
    const writes = brought.filter((change) => change.kind === "write" && change.data.length > 1);
    const tearing = isTorn ? writes[Math.floor(random() * writes.length)] : undefined;
    for (const change of brought)
      scratch.#apply(change === tearing ? tearWrite(change as Write, random) : change);
    return scratch.#bytes.subarray(0, scratch.#length);
  }

  #apply(change: Change): void {
    const end = change.kind === "write" ? change.offset + change.data.length : change.size;
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    if (change.kind === "write") {
      change.data.copy(this.#bytes, change.offset);
      this.#length = Math.max(this.#length, end);
    } else {
      if (end < this.#length) this.#bytes.fill(0, end, this.#length);
      this.#length = end;
    }
  }
}

/** Its beginning, up to the end of a sector of the file. */
function tearWrite(write: Write, random: () => number): Write {
  const { offset, data } = write;
  const first = SECTOR_BYTES - (offset % SECTOR_BYTES);
  const sectors = Math.max(0, Math.ceil((data.length - first) / SECTOR_BYTES));
  const length = Math.min(data.length - 1, first + Math.floor(random() * (sectors + 1)) * SECTOR_BYTES);
  return { ...write, data: data.subarray(0, length) };
}
