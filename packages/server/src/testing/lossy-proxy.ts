/** A proxy before a PostgreSQL server that can lose the answer of a commit. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A simple query as it is on the wire. */
const COMMIT = Buffer.from("commit\0");

/** Ends a connection at its next commit: before the server hears of it, or after the server has done it. */
export type LossMoment = "beforeCommit" | "afterCommit";

/** The proxy. */
export interface LossyProxy {
  url: string;
  loseNext(moment: LossMoment): void;
  /** How many connections it has ended so. */
  losses(): number;
  close(): Promise<void>;
}

/** Starts a proxy before the server of this URL. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(target);
  let next: LossMoment | undefined;
  let losses = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isAnswerLost = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on("data", (chunk) => {
      if (next !== undefined && chunk.includes(COMMIT)) {
        isAnswerLost = next === "afterCommit";
        next = undefined;
        losses += 1;
        if (!isAnswerLost) return end();
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (isAnswerLost) end();
      else client.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: Object.assign(new URL(target), { port: String(address.port) }).href,
    loseNext: (moment) => void (next = moment),
    losses: () => losses,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
