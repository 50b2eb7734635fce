import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { freePort } from "@parley/server/testing/local-programs";

/** An origin whose operator may deploy something else: an address before a server, as of a reverse proxy. */
export interface Deployments {
  readonly url: string;
  /**
   * From now on the server has another build: the worker file and the page, which is marked as new, are different ones, and this chunk does
   * not exist any more.
   */
  deployBuild(removedChunk: RegExp): void;
  /** From now on another server answers. */
  deployServer(url: string): void;
  /** Paths that were requested, with their methods, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Opens a port that forwards everything to a server. */
export async function startDeployments(firstServer: string): Promise<Deployments> {
  const port = await freePort();
  const requests: string[] = [];
  let target = new URL(firstServer);
  let removedChunk: RegExp | null = null;

  const forward = (incoming: IncomingMessage, answer: ServerResponse) => {
    const path = incoming.url ?? "/";
    requests.push(`${incoming.method} ${path}`);
    if (removedChunk?.test(path) === true) return void answer.writeHead(404).end();
    const isChanged =
      removedChunk !== null &&
      (path === "/service-worker.js" || !/^\/(api|files|.*\.)/.test(path.replace("/index.html", "/")));
    const headers = { ...incoming.headers, ...(isChanged && { "accept-encoding": "identity" }) };
    const outgoing = request(
      { host: target.hostname, port: target.port, path, method: incoming.method, headers },
      (received) => {
        if (!isChanged) {
          answer.writeHead(received.statusCode ?? 502, received.headers);
          return void received.pipe(answer);
        }
        let text = "";
        received.setEncoding("utf8");
        received.on("data", (part: string) => (text += part));
        received.on("end", () => {
          const { "content-length": _, ...others } = received.headers;
          answer.writeHead(received.statusCode ?? 502, others).end(asNewBuild(text));
        });
      },
    );
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  };

  const server = createServer(forward);
  server.on("upgrade", (incoming, socket, head) => {
    const upstream = connect(Number(target.port), target.hostname, () => {
      const headers = incoming.rawHeaders.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`));
      upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join("")}\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) {
      end.on("error", () => {
        socket.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    deployBuild(chunk) {
      removedChunk = chunk;
    },
    deployServer(url) {
      removedChunk = null;
      target = new URL(url);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The page gets a mark; the worker gets another revision of the page, as the build would give it, and no longer has the chunk. */
function asNewBuild(text: string): string {
  return text
    .replace("<head>", '<head><meta name="test-build" content="new" />')
    .replace(/(\/index\.html[`"'],\s*"?revision"?:\s*[`"'])[^`"']+/, "$1another-build")
    .replace(/\{"?url"?:[`"']\/assets\/people-[^}]+\},?/g, "");
}
