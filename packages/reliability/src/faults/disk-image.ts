/** Builds images of a disk as a power cut in the middle of a recorded run may leave it. */
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

/** The moment of a power cut. */
export interface CutPoint {
  /** Calls that began on this line of the trace or later have not happened. */
  line: number;
  random(): number;
  /** The disk has stored everything, synced or not. */
  isWhole?: boolean;
}

/** Files and folders by their path below the root; undefined for a folder. */
export type Image = Map<string, Buffer | undefined>;

/**
 * Makes images of one trace, for cuts in ascending order. Everything that was synced is in the image. Of all other names and bytes, a
 * random part is, and one file may have a torn write that ends at the end of a sector.
 */
export function createImageMaker(trace: Trace): (cut: CutPoint) => Image {
  const contents = new Map<FileNode, Content>();
  const contentOf = (node: FileNode): Content => {
    const content = contents.get(node) ?? new Content(node);
    contents.set(node, content);
    return content;
  };
  return (cut) => {
    // Some images contain most of the unsynced changes, some nearly none.
    const share = cut.random();
    const isStored = () => cut.isWhole === true || cut.random() < share;
    const names = namesAt(trace, cut.line, isStored);
    const files = [...names].filter(([, node]) => !node.isFolder);
    const tornFile = cut.isWhole === true ? undefined : files[Math.floor(cut.random() * files.length)]?.[1];
    const image: Image = new Map();
    for (const [path, node] of names) {
      image.set(path, node.isFolder ? undefined : contentOf(node).at(cut, isStored, node === tornFile));
    }
    return image;
  };
}

/** The image with everything that was written. */
export function wholeImage(trace: Trace): Image {
  return createImageMaker(trace)({ line: Infinity, random: () => 0, isWhole: true });
}

/** Writes an image into a folder. */
export function writeImage(image: Image, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, bytes] of image) {
    if (bytes === undefined) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), bytes);
  }
}

/** The start of the last sync of this file that had ended before the cut, or -1. Earlier changes are certainly on the disk. */
function syncedUpTo(node: FileNode, line: number): number {
  let last = -1;
  for (const { start, end } of node.syncs) if (end < line && start > last) last = start;
  return last;
}

function namesAt(trace: Trace, line: number, isStored: () => boolean): Map<string, FileNode> {
  const names = new Map<string, FileNode>();
  for (const nameChange of trace.nameChanges) {
    if (nameChange.start >= line) continue;
    const isSynced = nameChange.end < syncedUpTo(nameChange.folder, line);
    if (isSynced || isStored()) rename(names, nameChange, isSynced);
  }
  // A file in a lost folder is lost.
  for (const path of [...names.keys()].sort()) {
    const folder = folderOf(path);
    if (folder !== "" && !names.has(folder)) names.delete(path);
  }
  return names;
}

function rename(names: Map<string, FileNode>, { from, to, node }: NameChange, isSynced: boolean): void {
  // A lost name cannot be renamed, unless the new name is certainly on the disk.
  if (from !== undefined && to !== undefined && !isSynced && names.get(from) !== node) return;
  if (from !== undefined && names.get(from) === node) names.delete(from);
  if (to !== undefined) names.set(to, node);
}

/** The bytes of a file. It is asked for ascending cuts. */
class Content {
  readonly #node: FileNode;
  #bytes = Buffer.alloc(0);
  #length = 0;
  /** The number of changes that are in `#bytes`, because they were synced. */
  #syncedChanges = 0;

  constructor(node: FileNode) {
    this.#node = node;
  }

  at({ line, random }: CutPoint, isStored: () => boolean, isTorn: boolean): Buffer {
    const { changes } = this.#node;
    const syncedLine = syncedUpTo(this.#node, line);
    for (;;) {
      const change = changes[this.#syncedChanges];
      if (change === undefined || change.end >= syncedLine) break;
      this.#apply(change);
      this.#syncedChanges++;
    }
    const pending = changes.slice(this.#syncedChanges).filter((change) => change.start < line);
    if (pending.length === 0) return Buffer.from(this.#bytes.subarray(0, this.#length));
    const scratch = new Content(this.#node);
    scratch.#bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    scratch.#length = this.#length;
    const stored = pending.filter((change) => change.end < syncedLine || isStored());
    const writes = stored.filter((change) => change.kind === "write" && change.data.length > 1);
    const tornWrite = isTorn ? writes[Math.floor(random() * writes.length)] : undefined;
    for (const change of stored)
      scratch.#apply(change === tornWrite ? tearWrite(change as Write, random) : change);
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

/** The beginning of a write, up to the end of a sector of the file. */
function tearWrite(write: Write, random: () => number): Write {
  const { offset, data } = write;
  const first = SECTOR_BYTES - (offset % SECTOR_BYTES);
  const sectors = Math.max(0, Math.ceil((data.length - first) / SECTOR_BYTES));
  const length = Math.min(data.length - 1, first + Math.floor(random() * (sectors + 1)) * SECTOR_BYTES);
  return { ...write, data: data.subarray(0, length) };
}
