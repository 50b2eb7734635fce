/** Which type of file the bytes are, whatever their sender calls them. */
import { Readable } from "node:stream";
import { fileTypeFromBuffer } from "file-type";

/** Enough for the marks of every type that is served inline. */
const HEAD_BYTES = 4_100;

const PICTURES = ["jpg", "png", "webp", "gif", "avif"];
const VIDEOS = ["mp4", "webm", "mov"];
const SOUNDS = ["mp3", "m4a", "ogg", "wav", "flac", "aac"];
/** Types by the extension that stored files of this type get. Other detected types count as unknown. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ...[...PICTURES, ...VIDEOS, ...SOUNDS].map((same) => [same, same] as const),
  ["apng", "png"],
  // The same container with another mark.
  ["m4v", "mp4"],
  ["f4v", "mp4"],
  ["3gp", "mp4"],
  ["3g2", "mp4"],
  ["m4b", "m4a"],
  ["f4a", "m4a"],
  ["oga", "ogg"],
  ["opus", "ogg"],
]);

/** The extension for the first bytes of a file; undefined if they are of no type that is served inline. */
export async function extensionOf(head: Uint8Array): Promise<string | undefined> {
  const ext = (await detect(head)) ?? (isTagged(head) ? "mp3" : "");
  return EXTENSIONS.get(ext);
}

async function detect(head: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(head))?.ext;
  } catch {
    // A detector wants more bytes than the head has, so this is not the beginning of a type that we know.
    return undefined;
  }
}

/** Whether it begins with the tags of an MP3, in which the picture of an album may be longer than the head. */
function isTagged(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 3)).toString("latin1") === "ID3";
}

/** The first bytes of a stream, and a stream of all of its bytes. There are fewer than asked for only if the stream is shorter. */
export async function peek(data: Readable): Promise<{ head: Buffer; whole: Readable }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of data.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes >= HEAD_BYTES) break;
  }
  const head = Buffer.concat(chunks, bytes);
  if (data.readableEnded) return { head, whole: Readable.from([head]) };
  data.unshift(head);
  return { head, whole: data };
}
