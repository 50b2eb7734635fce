/** Reads a recording of strace: what a server did to the files of one folder, and what it wrote to sockets. */
import { readFileSync } from "node:fs";

/** The lines on which a call began and ended; `end` is Infinity for a call that never ended. */
interface LineSpan {
  start: number;
  end: number;
}

/** A write of bytes to a file. */
export interface Write extends LineSpan {
  kind: "write";
  offset: number;
  data: Buffer;
}

/** A change of the size of a file. */
export interface Truncate extends LineSpan {
  kind: "truncate";
  size: number;
}

/** A file or folder, independent of its name. */
export interface FileNode {
  isFolder: boolean;
  changes: (Write | Truncate)[];
  /** The syncs of its content; for a folder, of its names. */
  syncs: LineSpan[];
}

/** A new, changed or removed name. It is certainly on the disk once `folder` was synced. */
export interface NameChange extends LineSpan {
  from: string | undefined;
  to: string | undefined;
  node: FileNode;
  folder: FileNode;
}

/** Text that was written to a socket. */
export interface SentText extends LineSpan {
  text: string;
}

/** A recorded run. */
export interface Trace {
  lines: number;
  /** The recorded folder, which existed before the run. */
  root: FileNode;
  nameChanges: NameChange[];
  sent: SentText[];
}

/** Reads a file that `recordingCalls` of strace.ts wrote. Only paths below `folder` count; they are relative to it. */
export function readTrace(path: string, folder: string): Trace {
  const reader = new TraceReader(folder);
  // The file may be longer than a string can be.
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
/** The result of a call: a number, the path of a new descriptor, and the name and text of an error. */
const ANSWER = /\) += (-?\d+|\?)(?:<[^>]*>)?(?: (?:E[A-Z0-9]+ \([^()]*\)|<unavailable>))?$/;
const IGNORED = /-shm$|\/admin\.sock$/;

interface PendingCall {
  text: string;
  start: number;
}

class TraceReader {
  readonly #folder: string;
  /** The folder as strace writes it. */
  readonly #folderHex: string;
  readonly #trace: Trace = { lines: 0, root: newNode(true), nameChanges: [], sent: [] };
  readonly #nodes = new Map<string, FileNode>([["", this.#trace.root]]);
  readonly #pendingCalls = new Map<string, PendingCall>();
  /** The position of the next `write`, by descriptor. */
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
      this.#pendingCalls.set(thread, { text: text.slice(0, -UNFINISHED.length), start: number });
      return;
    }
    if (text.includes(KILLED)) {
      this.#call(text.replace(KILLED, ") = ?"), { start: number, end: Infinity });
      return;
    }
    const pendingCall = this.#pendingCalls.get(thread);
    if (pendingCall !== undefined && RESUMED.test(text)) {
      this.#pendingCalls.delete(thread);
      this.#call(pendingCall.text + text.replace(RESUMED, ""), { start: pendingCall.start, end: number });
    } else if (!text.startsWith("+++") && !text.startsWith("---")) {
      this.#call(text, { start: number, end: number });
    }
  }

  finish(): Trace {
    // These calls were interrupted by the kill. They may have happened.
    for (const { text, start } of this.#pendingCalls.values()) {
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
    if (answer === undefined) throw new Error(`a line of the trace cannot be parsed: ${text.slice(0, 200)}`);
    // A failed call has changed nothing.
    if (answer.startsWith("-")) return;
    const done = answer === "?" ? undefined : Number(answer);
    if (isSocket) return this.#addSent(text, span);
    switch (name) {
      case "openat":
        return this.#open(text, span, answer);
      case "mkdir":
        return this.#rename(undefined, this.#pathsIn(text)[0], span, newNode(true));
      case "rename":
      case "renameat":
      case "renameat2": {
        const [from, to] = this.#pathsIn(text);
        return this.#rename(from, to, span, undefined);
      }
      case "unlink":
      case "unlinkat":
      case "rmdir":
        return this.#rename(this.#pathsIn(text)[0], undefined, span, undefined);
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
        throw new Error(`the trace has an unknown call ${name}: ${text.slice(0, 200)}`);
    }
  }

  #addSent(text: string, span: LineSpan): void {
    this.#trace.sent.push({ text: bytesIn(text).toString("utf8"), ...span });
  }

  #open(text: string, span: LineSpan, descriptor: string): void {
    const path = this.#pathsIn(text).at(0);
    if (path === undefined) return;
    const known = this.#nodes.get(path);
    if (known === undefined && /O_CREAT/.test(text)) this.#rename(undefined, path, span, newNode(false));
    else if (known !== undefined && /O_TRUNC/.test(text)) {
      known.changes.push({ kind: "truncate", size: 0, ...span });
    }
    this.#positions.set(descriptor, 0);
  }

  #rename(
    from: string | undefined,
    to: string | undefined,
    span: LineSpan,
    newFile: FileNode | undefined,
  ): void {
    const path = to ?? from;
    if (path === undefined || IGNORED.test(path)) return;
    const node = newFile ?? (from === undefined ? undefined : this.#nodes.get(from));
    const folder = this.#nodes.get(folderOf(path));
    // The call succeeded, so both exist.
    if (node === undefined || folder === undefined)
      throw new Error(`the trace does not contain the file or folder of ${path}`);
    if (from !== undefined) this.#nodes.delete(from);
    if (to !== undefined) this.#nodes.set(to, node);
    this.#trace.nameChanges.push({ from, to, node, folder, ...span });
  }

  #write(name: string, text: string, span: LineSpan, done: number | undefined): void {
    const descriptor = /\((\d+)</.exec(text)?.[1] ?? "";
    const node = this.#nodeOf(text);
    const all = bytesIn(text);
    const data = done === undefined ? all : all.subarray(0, done);
    const hasOffset = name.startsWith("p");
    const offset = hasOffset
      ? Number(/, (\d+)\)(?: += .*)?$/.exec(text)?.[1])
      : (this.#positions.get(descriptor) ?? 0);
    if (!hasOffset) this.#positions.set(descriptor, offset + data.length);
    node?.changes.push({ kind: "write", offset, data, ...span });
  }

  /** The file of a call's descriptor. */
  #nodeOf(text: string): FileNode | undefined {
    const path = this.#relativePath(decode(/\(\d+<([^>]*)>/.exec(text)?.[1] ?? ""));
    if (path === undefined || IGNORED.test(path)) return undefined;
    const node = this.#nodes.get(path);
    // A file that was deleted while it was open does not matter.
    if (node === undefined && !path.endsWith("(deleted)"))
      throw new Error(`the trace does not contain the creation of ${path}`);
    return node;
  }

  /** The quoted paths of a call. */
  #pathsIn(text: string): (string | undefined)[] {
    return [...text.matchAll(/"((?:\\x..)*)"/g)].map(([, hex = ""]) => this.#relativePath(decode(hex)));
  }

  #relativePath(path: string): string | undefined {
    if (path === this.#folder) return "";
    return path.startsWith(`${this.#folder}/`) ? path.slice(this.#folder.length + 1) : undefined;
  }
}

/** `<socket:[` as strace writes it. */
const SOCKET = "<\\x73\\x6f\\x63\\x6b\\x65\\x74\\x3a\\x5b";

function newNode(isFolder: boolean): FileNode {
  return { isFolder, changes: [], syncs: [] };
}

/** The folder of a path; "" for the root. */
export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function decode(hex: string): string {
  return fromHex(hex).toString("utf8");
}

function fromHex(hex: string): Buffer {
  return Buffer.from(hex.replaceAll("\\x", ""), "hex");
}

/** All quoted bytes of a call, concatenated. */
function bytesIn(text: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = text.indexOf('"', at + 1);
    if (text.startsWith("...", end + 1)) throw new Error("the recorder has truncated the written bytes");
    parts.push(fromHex(text.slice(at + 1, end)));
    at = text.indexOf('"', end + 1);
  }
  return Buffer.concat(parts);
}
