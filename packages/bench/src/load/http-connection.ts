import { once } from "node:events";
import { type Socket, connect } from "node:net";

/** A keep-alive HTTP connection with one request at a time. */
export interface HttpConnection {
  /** Sends a body of `bytes` bytes. Resolves if the answer is an envelope with code 200, otherwise rejects. */
  post(body: string, bytes: number): Promise<void>;
  close(): void;
}

/**
 * Opens a connection for one path with constant headers. It writes HTTP over plain TCP, because an HTTP client library needs more CPU than
 * the servers under test, and load that cannot saturate a server does not measure it.
 */
export async function openHttpConnection(
  origin: string,
  path: string,
  headers: Record<string, string>,
  method: "POST" | "PUT" = "POST",
): Promise<HttpConnection> {
  const { hostname, port, host } = new URL(origin);
  const headerLines = Object.entries({ host, "content-type": "application/json", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const head = `${method} ${path} HTTP/1.1\r\n${headerLines}content-length: `;

  let settle: ((error?: Error) => void) | undefined;
  const end = (error?: Error) => {
    const settleRequest = settle;
    settle = undefined;
    settleRequest?.(error);
  };

  const open = async (): Promise<Socket> => {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(opened, "connect");
    let received = "";
    // In latin1 one byte is one character, and lengths are in bytes.
    opened.setEncoding("latin1");
    opened.on("data", (text: string) => {
      received = received === "" ? text : received + text;
      const bodyAt = received.indexOf("\r\n\r\n") + 4;
      if (bodyAt < 4) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, bodyAt))?.[1];
      if (length === undefined)
        return end(new Error(`an answer without a length: ${received.slice(0, 200)}`));
      if (received.length < bodyAt + Number(length)) return;
      const isOk = received.startsWith("HTTP/1.1 200") && received.includes('"code":200', bodyAt);
      const error = isOk ? undefined : new Error(`the request failed: ${received.slice(0, 400)}`);
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
      // The server closes connections that are idle for about a minute, and this one may have been idle while the other server was measured.
      if (!socket.writable) socket = await open();
      return post(body, bytes);
    },
    close: () => socket.destroy(),
  };
}
