/** A UDP proxy that can lose everything that goes through it, as a network does while one changes from one to another. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

/** A running proxy. */
export interface DatagramProxy {
  /** The port for clients, instead of the server's. */
  readonly port: number;
  /** Whether all datagrams are lost, in both directions. */
  drop(isOn: boolean): void;
  /** How many datagrams went through it in both directions. */
  forwarded(): number;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port for the server at another one. */
export async function startDatagramProxy(serverPort: number): Promise<DatagramProxy> {
  let isDropping = false;
  let forwardedCount = 0;
  /** The server tells clients apart by their ports, so each has a socket of its own. */
  const upstream = new Map<number, Socket>();
  const front = createSocket("udp4");
  const forward = (from: Socket, data: Buffer, port: number) => {
    if (isDropping) return;
    forwardedCount++;
    from.send(data, port, "127.0.0.1");
  };
  const socketOf = (clientPort: number): Socket => {
    const known = upstream.get(clientPort);
    if (known !== undefined) return known;
    const socket = createSocket("udp4");
    socket.on("message", (data) => forward(front, data, clientPort));
    socket.on("error", ignore);
    upstream.set(clientPort, socket);
    return socket;
  };
  front.on("message", (data, { port }) => forward(socketOf(port), data, serverPort));
  front.on("error", ignore);
  front.bind(0, "127.0.0.1");
  await once(front, "listening");
  return {
    port: front.address().port,
    drop: (isOn) => void (isDropping = isOn),
    forwarded: () => forwardedCount,
    async close() {
      const sockets = [front, ...upstream.values()];
      await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => void socket.close(resolve))));
    },
  };
}

/** A port that is closed by now is a fault of the network too. */
function ignore(): void {}
