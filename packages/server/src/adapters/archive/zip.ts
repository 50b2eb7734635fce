/** Makes zip archives while they are read: one entry after the other, in bounded memory. */
import { once } from "node:events";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";

/** A file of the archive. */
export interface ZipEntry {
  name: string;
  data: Readable;
  /** Whether compressing it is worth the time. */
  isText: boolean;
}

/** The bytes of an archive with these entries. An error of an entry destroys the stream, so that nobody takes a part for the whole. */
export function zipOf(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = Readable.from(zip.outputStream as AsyncIterable<Buffer>, { objectMode: false });
  const fail = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on("error", fail);
  void addAll(zip, entries, output).catch(fail);
  return output;
}

async function addAll(zip: ZipFile, entries: AsyncIterable<ZipEntry>, output: Readable): Promise<void> {
  const closed = new AbortController();
  output.once("close", () => closed.abort());
  for await (const { name, data, isText } of entries) {
    const ended = once(data, "end", { signal: closed.signal });
    zip.addReadStream(data, name, { compress: isText, mode: 0o600 });
    try {
      await ended;
    } catch (error) {
      data.destroy();
      // The client has gone away.
      if (closed.signal.aborted) return;
      throw error;
    }
  }
  zip.end();
}
