/** What the gateway does against floods: upgrades and frames are counted, and a socket that exceeds a limit is cut off and logged. */
import { LogPause } from "../api/log-pause.ts";
import type { FloodLimit, Metrics } from "../ports/metrics.ts";
import type { RateLimiter } from "../ports/rate-limiter.ts";
import { SocketAllowance } from "./frame-limits.ts";
import type { GatewaySocket } from "./gateway-socket.ts";

export interface FloodGuardOptions {
  rateLimiter: RateLimiter;
  metrics: Pick<Metrics, "socketFlooded" | "upgradeRefused">;
  log: { warn(data: object, text: string): void };
  now(): number;
}

/**
 * How many of its requests for sockets an address loses by a cut. Honest clients are never cut off before their login, so an address that floods
 * there again and again is soon refused before anything is allocated. Somebody who floods after the login may share the address with many others.
 */
const CUT_UPGRADES = { stranger: 20, person: 2 } as const;

/** Where something comes from. */
interface Source {
  address: string;
  /** The network of the address. */
  network: string;
}

/** Counts what comes to the sockets of a node. */
export class FloodGuard {
  readonly #options: FloodGuardOptions;
  readonly #logPause = new LogPause();

  constructor(options: FloodGuardOptions) {
    this.#options = options;
  }

  /** Whether one more request for a socket is refused. */
  refusesUpgrade(from: Source): boolean {
    const { rateLimiter, metrics, now } = this.#options;
    if (rateLimiter.take("upgradesOfAddress", from.network, 1, now()) === 0) return false;
    metrics.upgradeRefused();
    this.#warn("upgrades", from, {});
    return true;
  }

  /** What a new socket may send. */
  newAllowance(): SocketAllowance {
    return new SocketAllowance(this.#options.rateLimiter);
  }

  /** Counts bytes that have come. False if they are too many, and nobody may read them. */
  admits(socket: GatewaySocket, chunk: Uint8Array): boolean {
    const of = socket.allowance?.take(chunk, socket, this.#options.now());
    if (of === undefined) return true;
    this.#noteCut("frames", socket, of, socket.session?.userId);
    return false;
  }

  /** Counts a login. False if the person logs in again and again. */
  admitsLogin(socket: GatewaySocket, userId: number): boolean {
    if (socket.allowance?.loggedIn(userId, this.#options.now()) !== false) return true;
    this.#noteCut("logins", socket, "person", userId);
    return false;
  }

  /** `userId`: whose socket it is, or would be if its login had been taken. */
  #noteCut(what: "frames" | "logins", from: Source, of: FloodLimit, userId: number | undefined): void {
    const { metrics, rateLimiter, now } = this.#options;
    metrics.socketFlooded(of);
    const upgrades = userId === undefined ? CUT_UPGRADES.stranger : CUT_UPGRADES.person;
    // One after the other, because taking more than is left takes nothing.
    for (let n = 0; n < upgrades; n++) rateLimiter.take("upgradesOfAddress", from.network, 1, now());
    this.#warn(what, from, { of, userId });
  }

  #warn(what: "upgrades" | "frames" | "logins", { address, network }: Source, data: object): void {
    const { log, now } = this.#options;
    const leftOut = this.#logPause.pass(`${what} ${network}`, now());
    if (leftOut !== undefined)
      log.warn({ ...data, address, what, leftOut }, "too many from a socket's address");
  }
}
