/** A TLS front before a server of a test that speaks HTTP, as a proxy ends TLS. It passes the bytes on as they are. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, type Socket, connect } from "node:net";
import { type TLSSocket, createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import type { TestCertificate } from "./reverse-proxy.ts";

/** A running front. */
export interface TlsFront {
  /** With the name localhost. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a front with this certificate before the server of this URL. */
export async function startTlsFront({ cert, key }: TestCertificate, target: string): Promise<TlsFront> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const pass = (client: TLSSocket): void => {
    const server = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  };
  const front = createServer({ cert: await readFile(cert), key: await readFile(key) }, pass);
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  return {
    url: `https://localhost:${(front.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      front.close();
      await once(front, "close");
    },
  };
}

/** Lets this process trust a certificate, as `NODE_EXTRA_CA_CERTS` does at the start of one. Returns a function that undoes it. */
export function trust({ pem }: TestCertificate): () => void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, pem]);
  return () => setDefaultCACertificates(before);
}
