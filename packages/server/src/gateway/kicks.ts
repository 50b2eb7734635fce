/** Of the devices of one terminal, the one that logs in last stays (protocol §7). Nodes hear late of each other's logins, and decide alike. */
import type { Session } from "../api/api-call.ts";
import type { BusEvent } from "../ports/bus.ts";
import type { GatewaySocket } from "./gateway-socket.ts";
import { isBeside, isOfTerminal, terminalOf } from "./socket-identity.ts";

/** A login, of which the older sockets of other devices hear. */
export type Kick = Extract<BusEvent, { kind: "kick" }>;

/** Numbers logins: near epoch ms, but each is larger than all that this node has given or heard of, because clocks differ. */
export class LoginOrder {
  #newest = 0;

  next(now: number): number {
    this.#newest = Math.max(now, this.#newest + 1);
    return this.#newest;
  }

  heard(kick: Kick): void {
    this.#newest = Math.max(this.#newest, kick.loginOrder);
  }
}

/** What the login of a socket says to all nodes. */
export function kickBy(socket: GatewaySocket, session: Session, socketId: string): Kick {
  return {
    kind: "kick",
    userId: session.userId,
    terminal: terminalOf(session),
    deviceNo: socket.deviceNo,
    sessionId: session.sessionId,
    exceptSocketId: socketId,
    loginOrder: socket.loginOrder,
  };
}

/** Which of the person's sockets cannot stay beside the login. */
export function rivalsOf(kick: Kick, sockets: readonly GatewaySocket[]): GatewaySocket[] {
  return sockets.filter((socket) => isOfTerminal(socket, kick.terminal) && !isBeside(socket, kick));
}

/** Whether the socket has logged in after the login. Nodes may give the same number at the same time; then the ids decide. */
export function isNewer(socket: GatewaySocket, socketId: string, kick: Kick): boolean {
  return socket.loginOrder === kick.loginOrder
    ? socketId > kick.exceptSocketId
    : socket.loginOrder > kick.loginOrder;
}
