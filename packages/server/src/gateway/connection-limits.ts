import type { Session } from "../api/api-call.ts";
import { changeCount } from "../collections/maps.ts";
import type { GatewaySocket } from "./gateway-socket.ts";
import { isBeside, isOfTerminal, terminalOf } from "./socket-identity.ts";

/** How many connections a node takes. */
export interface ConnectionLimitOptions {
  /** The maximum number of sockets of one address, or of one /64 network of IPv6, that have not logged in. */
  newSocketsMax: number;
  /** The maximum number of logged-in sockets of one terminal of a person: tabs, and connections whose end is not noticed yet. */
  terminalSocketsMax: number;
}

/** How many times `terminalSocketsMax` connections a person may have, with those that are being closed. */
const CLOSING_FACTOR = 3;

/** Counts connections until they have really ended: a client that does not answer a close holds its connection for half a minute more. */
export class ConnectionLimits {
  readonly #options: ConnectionLimitOptions;
  /** Those that have not logged in. */
  readonly #byNetwork = new Map<string, number>();
  /** Those that have logged in. */
  readonly #byUser = new Map<number, number>();

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
  }

  /** Whether one more connection of this network is refused. */
  isNetworkFull(network: string): boolean {
    return (this.#byNetwork.get(network) ?? 0) >= this.#options.newSocketsMax;
  }

  /** Whether one more login is refused beside the served sockets of the person. Those that it kicks do not count. */
  isTerminalFull(session: Session, deviceNo: string | null, sockets: readonly GatewaySocket[]): boolean {
    const { terminalSocketsMax } = this.#options;
    if ((this.#byUser.get(session.userId) ?? 0) >= CLOSING_FACTOR * terminalSocketsMax) return true;
    if (sockets.length < terminalSocketsMax) return false;
    const { sessionId } = session;
    const terminal = terminalOf(session);
    const staying = sockets.filter(
      (socket) => isOfTerminal(socket, terminal) && isBeside(socket, { sessionId, deviceNo }),
    );
    return staying.length >= terminalSocketsMax;
  }

  opened({ network }: GatewaySocket): void {
    changeCount(this.#byNetwork, network, 1);
  }

  loggedIn({ network }: GatewaySocket, userId: number): void {
    changeCount(this.#byNetwork, network, -1);
    changeCount(this.#byUser, userId, 1);
  }

  closed({ network, session }: GatewaySocket): void {
    if (session === undefined) changeCount(this.#byNetwork, network, -1);
    else changeCount(this.#byUser, session.userId, -1);
  }
}
