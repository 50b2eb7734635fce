import type { GatewaySocket } from "./gateway-socket.ts";

/** The sockets that were written to in this turn. Everything that one turn writes to a socket becomes one system call. */
export class CorkedSockets {
  readonly #sockets: GatewaySocket[] = [];

  /** Call it before the socket is written to. */
  add(socket: GatewaySocket): void {
    const { raw } = socket;
    if (raw === undefined || raw.writableCorked > 0) return;
    raw.cork();
    if (this.#sockets.push(socket) === 1) process.nextTick(this.flush);
  }

  /** Sends what was written; called at the end of the turn in any case. */
  readonly flush = (): void => {
    for (const socket of this.#sockets) socket.raw?.uncork();
    this.#sockets.length = 0;
  };
}
