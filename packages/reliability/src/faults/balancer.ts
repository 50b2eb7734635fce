/** A TCP proxy before several servers, as an operator would put one there: it knows nothing of them but whether they take connections. */
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A running balancer. */
export interface Balancer {
  /** The address for clients. */
  readonly url: string;
  /** New connections go to these servers in turn. If one refuses a connection, the next one gets it. */
  setTargets(serverUrls: readonly string[]): void;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/** Starts a balancer without servers: connections are reset. */
export async function startBalancer(): Promise<Balancer> {
  let targets: readonly URL[] = [];
  let connectionCount = 0;
  const clients = new Set<Socket>();
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
    clients.add(client);
    client.on("error", () => undefined);
    client.on("close", () => clients.delete(client));
    const first = connectionCount++ % Math.max(targets.length, 1);
    tryInTurn(client, [...targets.slice(first), ...targets.slice(0, first)]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setTargets: (urls) => void (targets = urls.map((url) => new URL(url))),
    async close() {
      for (const client of clients) client.resetAndDestroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function tryInTurn(client: Socket, [target, ...others]: readonly URL[]): void {
  if (client.destroyed) return;
  if (target === undefined) return void client.resetAndDestroy();
  const server = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
  const refused = () => tryInTurn(client, others);
  server.once("error", refused);
  server.once("connect", () => {
    server.off("error", refused);
    if (client.destroyed) return void server.destroy();
    server.on("error", () => undefined);
    // A reset is passed on, so that an answer that broke off does not look complete.
    server.on("close", (isBroken) => (isBroken ? client.resetAndDestroy() : client.destroySoon()));
    client.on("close", (isBroken) => (isBroken ? server.resetAndDestroy() : server.destroySoon()));
    client.pipe(server).pipe(client);
    client.resume();
  });
}
