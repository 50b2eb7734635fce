/** Sends any bytes as an HTTP request on a new connection and parses the answer. */
import { connect } from "node:net";

/** A parsed answer. */
export interface RawResponse {
  /** 0 if the connection ended without an answer. */
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

const WITHIN_MS = 60_000;
const HEAD_END = "\r\n\r\n";
const NO_ANSWER: RawResponse = { status: 0, headers: new Map(), body: "" };

/** Sends these bytes. `isEndOfSending`: also ends the connection for sending. */
export function sendRawRequest(port: number, bytes: Buffer, isEndOfSending = false): Promise<RawResponse> {
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
      resolve(parse(Buffer.concat(parts).toString("utf8")));
    });
    socket.write(bytes);
    if (isEndOfSending) socket.end();
  });
}

function parse(text: string): RawResponse {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return NO_ANSWER;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  const body = text.slice(end + HEAD_END.length);
  // An informational response precedes the answer.
  if (status === 100) return parse(body);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status, headers, body };
}
