/** What a server did to the files of one folder, and what it let out, as strace has written it down. */
import { readFileSync } from "node:fs";

/** From the line on which it began to the line on which it was done; a call that never ended was done at Infinity. */
interface LineSpan {
  start: number;
  end: number;
}

export interface Write extends LineSpan {
  kind: "write";
  offset: number;
  data: Buffer;
}

export interface Truncate extends LineSpan {
  kind: "truncate";
  size: number;
}

/** A file or folder, whatever its name. */
export interface FileNode {
  isFolder: boolean;
  changes: (Write | Truncate)[];
  /** Of a folder: its names. */
  syncs: LineSpan[];
}

/** A change of names. It is on the disk for sure once `folder` was synced. */
export interface NameChange extends LineSpan {
  from: string | undefined;
  to: string | undefined;
  node: FileNode;
  folder: FileNode;
}

/** Bytes that left through a socket. */
export interface PrintedText extends LineSpan {
  text: string;
}

export interface Trace {
  lines: number;
  /** The folder in which all began; it was there before. */
  root: FileNode;
  namings: NameChange[];
  printed: PrintedText[];
}

/** Reads what `recording` of strace.ts wrote. `folder`: only what lies below it, by paths that begin behind it. */
export function readTrace(path: string, folder: string): Trace {
  const reader = new TraceReader(folder);
  // More than a string can hold.
  const bytes = readFileSync(path);
  let start = 0;
  for (let line = 0; start < bytes.length; line++) {
    const found = bytes.indexOf("\n", start);
    const end = found < 0 ? bytes.length : found;
    reader.read(bytes.toString("latin1", start, end), line);
    start = end + 1;
  }
  return reader.finish();
}

const UNFINISHED = " <unfinished ...>";
const KILLED = " <unfinished ...>) = ?";
const RESUMED = /^<\.\.\. \w+ resumed>/;
/** The number, the path of a new descriptor, and the name and words of an error. */
const ANSWER = /\) += (-?\d+|\?)(?:<[^>]*>)?(?: (?:E[A-Z0-9]+ \([^()]*\)|<unavailable>))?$/;
const IGNORED = /-shm$|\/admin\.sock$/;

interface PendingCall {
  text: string;
  start: number;
}

class TraceReader {
  readonly #folder: string;
  /** As strace writes paths. */
  readonly #folderHex: string;
  readonly #trace: Trace = { lines: 0, root: newNode(true), namings: [], printed: [] };
  readonly #nodes = new Map<string, FileNode>([["", this.#trace.root]]);
  readonly #begun = new Map<string, PendingCall>();
  /** Where the next `write` goes, by descriptor. */
  readonly #positions = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#folderHex = Array.from(
      Buffer.from(folder),
      (byte) => `\\x${byte.toString(16).padStart(2, "0")}`,
    ).join("");
  }

  read(line: string, number: number): void {
    this.#trace.lines = number + 1;
    const space = line.indexOf(" ");
    const thread = line.slice(0, space);
    const text = line.slice(space).trimStart();
    if (text.endsWith(UNFINISHED)) {
      this.#begun.set(thread, { text: text.slice(0, -UNFINISHED.length), start: number });
      return;
    }
    if (text.includes(KILLED)) {
      this.#call(text.replace(KILLED, ") = ?"), { start: number, end: Infinity });
      return;
    }
    const pendingCall = this.#begun.get(thread);
    if (pendingCall !== undefined && RESUMED.test(text)) {
      this.#begun.delete(thread);
      this.#call(pendingCall.text + text.replace(RESUMED, ""), { start: pendingCall.start, end: number });
    } else if (!text.startsWith("+++") && !text.startsWith("---")) {
      this.#call(text, { start: number, end: number });
    }
  }

  finish(): Trace {
    // A kill found them under way: they may have happened.
    for (const { text, start } of this.#begun.values()) {
      this.#call(`${text}) = ?`, { start, end: Infinity });
    }
    return this.#trace;
  }

  #call(text: string, span: LineSpan): void {
    const paren = text.indexOf("(");
    const name = text.slice(0, paren);
    const isSocket = text.includes(SOCKET);
    if (!isSocket && !text.includes(this.#folderHex)) return;
    const answer = ANSWER.exec(text)?.[1];
    if (answer === undefined) throw new Error(`the recording cannot be read: ${text.slice(0, 200)}`);
    // What failed, such as making a folder that is there, has changed nothing.
    if (answer.startsWith("-")) return;
    const done = answer === "?" ? undefined : Number(answer);
    if (isSocket) return this.#say(text, span);
    switch (name) {
      case "openat":
        return this.#open(text, span, answer);
      case "mkdir":
        return this.#name(undefined, this.#pathsIn(text)[0], span, newNode(true));
      case "rename":
      case "renameat":
      case "renameat2": {
        const [from, to] = this.#pathsIn(text);
        return this.#name(from, to, span, undefined);
      }
      case "unlink":
      case "unlinkat":
      case "rmdir":
        return this.#name(this.#pathsIn(text)[0], undefined, span, undefined);
      case "write":
      case "writev":
      case "pwrite64":
      case "pwritev":
        return this.#write(name, text, span, done);
      case "ftruncate": {
        const node = this.#nodeOf(text);
        node?.changes.push({ kind: "truncate", size: Number(/, (\d+)\)/.exec(text)?.[1]), ...span });
        return;
      }
      case "fsync":
      case "fdatasync":
        this.#nodeOf(text)?.syncs.push(span);
        return;
      default:
        throw new Error(`the replay does not know ${name}: ${text.slice(0, 200)}`);
    }
  }

  #say(text: string, span: LineSpan): void {
    this.#trace.printed.push({ text: bytesIn(text).toString("utf8"), ...span });
  }

  #open(text: string, span: LineSpan, descriptor: string): void {
    const path = this.#pathsIn(text).at(0);
    if (path === undefined) return;
    const known = this.#nodes.get(path);
    if (known === undefined && /O_CREAT/.test(text)) this.#name(undefined, path, span, newNode(false));
    else if (known !== undefined && /O_TRUNC/.test(text)) {
      known.changes.push({ kind: "truncate", size: 0, ...span });
    }
    this.#positions.set(descriptor, 0);
  }

  #name(from: string | undefined, to: string | undefined, span: LineSpan, made: FileNode | undefined): void {
    const place = to ?? from;
    if (place === undefined || IGNORED.test(place)) return;
    const node = made ?? (from === undefined ? undefined : this.#nodes.get(from));
    const folder = this.#nodes.get(folderOf(place));
    // What the system answered with success had both.
    if (node === undefined || folder === undefined)
      throw new Error(`the trace lacks what was before ${place}`);
    if (from !== undefined) this.#nodes.delete(from);
    if (to !== undefined) this.#nodes.set(to, node);
    this.#trace.namings.push({ from, to, node, folder, ...span });
  }

  #write(name: string, text: string, span: LineSpan, done: number | undefined): void {
    const descriptor = /\((\d+)</.exec(text)?.[1] ?? "";
    const node = this.#nodeOf(text);
    const all = bytesIn(text);
    const data = done === undefined ? all : all.subarray(0, done);
    const isPlaced = name.startsWith("p");
    const offset = isPlaced
      ? Number(/, (\d+)\)(?: += .*)?$/.exec(text)?.[1])
      : (this.#positions.get(descriptor) ?? 0);
    if (!isPlaced) this.#positions.set(descriptor, offset + data.length);
    node?.changes.push({ kind: "write", offset, data, ...span });
  }

  /** The file of a call's descriptor. */
  #nodeOf(text: string): FileNode | undefined {
    const path = this.#local(decode(/\(\d+<([^>]*)>/.exec(text)?.[1] ?? ""));
    if (path === undefined || IGNORED.test(path)) return undefined;
    const node = this.#nodes.get(path);
    // One that was deleted while it was open is of no interest any more.
    if (node === undefined && !path.endsWith("(deleted)"))
      throw new Error(`the trace lacks how ${path} came`);
    return node;
  }

  /** Those in quotes. */
  #pathsIn(text: string): (string | undefined)[] {
    return [...text.matchAll(/"((?:\\x..)*)"/g)].map(([, hex = ""]) => this.#local(decode(hex)));
  }

  #local(path: string): string | undefined {
    if (path === this.#folder) return "";
    return path.startsWith(`${this.#folder}/`) ? path.slice(this.#folder.length + 1) : undefined;
  }
}

/** `<socket:[` as strace writes it. */
const SOCKET = "<\\x73\\x6f\\x63\\x6b\\x65\\x74\\x3a\\x5b";

function newNode(isFolder: boolean): FileNode {
  return { isFolder, changes: [], syncs: [] };
}

export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function decode(hex: string): string {
  return fromHex(hex).toString("utf8");
}

function fromHex(hex: string): Buffer {
  return Buffer.from(hex.replaceAll("\\x", ""), "hex");
}

/** All bytes in quotes, one after the other. */
function bytesIn(text: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = text.indexOf('"', at + 1);
    if (text.startsWith("...", end + 1)) throw new Error("the recorder has cut what was written");
    parts.push(fromHex(text.slice(at + 1, end)));
    at = text.indexOf('"', end + 1);
  }
  return Buffer.concat(parts);
}
