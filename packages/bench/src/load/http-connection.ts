import { once } from "node:events";
import { type Socket, connect } from "node:net";

/** One keep-alive HTTP connection with one request on its way at a time. */
export interface HttpConnection {
  /** Posts a body of `bytes` bytes; resolves when the answer is an envelope of code 200, else rejects. */
  post(body: string, bytes: number): Promise<void>;
  close(): void;
}

/**
 * Opens a lane to one path with constant headers. Written over the bare TCP connection, because an HTTP client library costs the load's
 * core more than the servers under test cost theirs, and a load that cannot fill a server does not measure it.
 */
export async function openHttpConnection(
  origin: string,
  path: string,
  headers: Record<string, string>,
): Promise<HttpConnection> {
  const { hostname, port, host } = new URL(origin);
  const fixed = Object.entries({ host, "content-type": "application/json", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const head = `POST ${path} HTTP/1.1\r\n${fixed}content-length: `;

  let settle: ((error?: Error) => void) | undefined;
  const end = (error?: Error) => {
    const waiting = settle;
    settle = undefined;
    waiting?.(error);
  };

  const open = async (): Promise<Socket> => {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(opened, "connect");
    let received = "";
    // One byte is one character here, as lengths are told in bytes.
    opened.setEncoding("latin1");
    opened.on("data", (text: string) => {
      received = received === "" ? text : received + text;
      const bodyAt = received.indexOf("\r\n\r\n") + 4;
      if (bodyAt < 4) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, bodyAt))?.[1];
      if (length === undefined)
        return end(new Error(`an answer without a length: ${received.slice(0, 200)}`));
      if (received.length < bodyAt + Number(length)) return;
      const isDone = received.startsWith("HTTP/1.1 200") && received.includes('"code":200', bodyAt);
      const error = isDone ? undefined : new Error(`refused: ${received.slice(0, 400)}`);
      received = "";
      end(error);
    });
    opened.on("error", end);
    opened.on("close", () => end(new Error("the server closed the connection")));
    return opened;
  };

  let socket = await open();
  const post = (body: string, bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error));
      socket.write(`${head}${bytes}\r\n\r\n${body}`);
    });

  return {
    async post(body, bytes) {
      // A server ends connections on which nothing comes for a minute or so, and others have their turn before this one.
      if (!socket.writable) socket = await open();
      return post(body, bytes);
    },
    close: () => socket.destroy(),
  };
}
