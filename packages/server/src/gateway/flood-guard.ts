/** What the gateway does against floods: upgrades and frames are counted, and whose limit is exceeded is cut off and noted. */
import { LogPause } from "../api/log-pause.ts";
import { networkOf } from "../api/network-of.ts";
import type { Metrics } from "../ports/metrics.ts";
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
 * What a cut costs of the requests for sockets that an address has. No client of a person is cut off before its login, so who floods there again and
 * again is refused before anything is made for them; behind the address of somebody who floods after the login may be many others.
 */
const CUT_UPGRADES = { beforeLogin: 20, afterLogin: 2 } as const;

/** Counts what comes to the sockets of a node. */
export class FloodGuard {
  readonly #options: FloodGuardOptions;
  readonly #logPause = new LogPause();

  constructor(options: FloodGuardOptions) {
    this.#options = options;
  }

  /** Whether one more request for a socket of this address is refused. */
  refusesUpgrade(address: string): boolean {
    const { rateLimiter, metrics, now } = this.#options;
    if (rateLimiter.take("upgradesOfAddress", networkOf(address), 1, now()) === 0) return false;
    metrics.upgradeRefused();
    this.#warn("upgrades", address, {});
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
    const { address, session } = socket;
    const { metrics, rateLimiter, now } = this.#options;
    metrics.socketFlooded(of);
    const upgrades = session === undefined ? CUT_UPGRADES.beforeLogin : CUT_UPGRADES.afterLogin;
    // One after the other: of more than is left, nothing would be taken.
    const network = networkOf(address);
    for (let n = 0; n < upgrades; n++) rateLimiter.take("upgradesOfAddress", network, 1, now());
    this.#warn("frames", address, { of, userId: session?.userId });
    return false;
  }

  /** Counts a login. False if the person logs in again and again. */
  admitsLogin(socket: GatewaySocket, userId: number): boolean {
    if (socket.allowance?.loggedIn(userId, this.#options.now()) !== false) return true;
    this.#options.metrics.socketFlooded("person");
    this.#warn("logins", socket.address, { of: "person", userId });
    return false;
  }

  #warn(what: "upgrades" | "frames" | "logins", address: string, data: object): void {
    const { log, now } = this.#options;
    const untold = this.#logPause.pass(`${what} ${networkOf(address)}`, now());
    if (untold !== undefined)
      log.warn({ ...data, address, what, untold }, "too many from a socket's address");
  }
}
