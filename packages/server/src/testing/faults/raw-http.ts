/** One HTTP request of any bytes on a connection of its own, and what comes back. */
import { connect } from "node:net";

export interface RawResponse {
  /** 0: the connection was ended without an answer. */
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

const WITHIN_MS = 60_000;
const HEAD_END = "\r\n\r\n";
const NO_ANSWER: RawResponse = { status: 0, headers: new Map(), body: "" };

/** `isCut`: nothing more will come after these bytes, and the server is told so. */
export function sendRawRequest(port: number, bytes: Buffer, isCut = false): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer to ${bytes.toString("latin1").slice(0, 1_000)}`));
    }, WITHIN_MS);
    socket.on("data", (data: Buffer) => parts.push(data));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(read(Buffer.concat(parts).toString("utf8")));
    });
    socket.write(bytes);
    if (isCut) socket.end();
  });
}

function read(text: string): RawResponse {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return NO_ANSWER;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  const body = text.slice(end + HEAD_END.length);
  // What comes before the answer.
  if (status === 100) return read(body);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  return { status, headers, body };
}
