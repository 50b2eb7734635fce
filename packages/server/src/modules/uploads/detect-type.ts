/** Which type of file the bytes are, whatever their sender calls them. */
import { Readable } from "node:stream";
import { fileTypeFromBuffer } from "file-type";

/** Enough for the marks of every type that is served inline. */
const HEAD_BYTES = 4_100;

/** Types by the extension that stored files of this type get. Other detected types count as unknown. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ...["jpg", "png", "webp", "gif", "mp4", "webm", "mp3", "m4a", "ogg", "wav"].map(
    (same) => [same, same] as const,
  ),
  ["apng", "png"],
  ["m4v", "mp4"],
  ["oga", "ogg"],
  ["opus", "ogg"],
]);

/** The extension for the first bytes of a file; undefined if they are of no type that is served inline. */
export async function extensionOf(head: Uint8Array): Promise<string | undefined> {
  try {
    const detected = await fileTypeFromBuffer(head);
    return detected && EXTENSIONS.get(detected.ext);
  } catch {
    // A detector wants more bytes than the head has, so this is not the beginning of a type that we know.
    return undefined;
  }
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
