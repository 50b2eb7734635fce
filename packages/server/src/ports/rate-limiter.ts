/** The limits that count calls in a window of time. */
export type WindowLimit =
  | "wrongPasswordsOfName"
  | "wrongPasswordsOfAddress"
  | "setups"
  | "reports"
  | "registrations"
  | "anonymousUploads"
  | "anonymousPictures"
  | "uploads"
  | "friendRequests"
  | "startedCalls"
  | "searches"
  | "userLookups"
  | "groupLookups"
  | "profileChanges"
  | "groupChanges"
  | "exports"
  | "exportLinks";

/**
 * The limits that fill up again as time goes by. They protect one process from what costs little each time and comes very often: messages,
 * calls of the API in points, requests, and what sockets send.
 */
export type SavedLimit =
  | "sends"
  | "acts"
  | "typing"
  | "callsOfPerson"
  | "callsOfStrangers"
  | "requestsOfAddress"
  | "upgradesOfAddress"
  | "framesOfPerson"
  | "framesOfAddress"
  | "framesOfStrangers"
  | "bytesOfPerson"
  | "bytesOfAddress"
  | "bytesOfStrangers";

/** The limits of which each socket has one of its own. */
export type SocketLimit = "framesBeforeLogin" | "framesAfterLogin" | "bytesBeforeLogin" | "bytesAfterLogin";

/** One limit that fills up again. */
export interface Allowance {
  /** How much is left now. */
  left(now: number): number;
  /** Takes so much, or nothing if less is left. Returns 0, or how many seconds to wait. What is more than ever is left takes all. */
  take(amount: number, now: number): number;
}

/**
 * Limits how often somebody may do something. `consume` and `refund` count over all nodes, as long as they reach each other; the others count
 * on each node. No call fails because of what counts. Contract suite: `testing/contracts/rate-limiter-contract.ts`.
 */
export interface RateLimiter {
  /** Counts a call. Returns 0, or how many seconds to wait if there were too many. */
  consume(limit: WindowLimit, key: string | number): Promise<number>;
  /**
   * Counts something that takes long, until the returned function is called. Returns null if as many are under way as the limit allows in
   * its window.
   */
  begin(limit: WindowLimit, key: string | number): (() => void) | null;
  /** Undoes one `consume`. */
  refund(limit: WindowLimit, key: string | number): Promise<void>;
  /**
   * Takes so much of a limit that fills up again. The key is a person, or the network of an address. A negative amount is given back. Synchronous,
   * because every message and request calls it.
   */
  take(limit: SavedLimit, key: string | number, amount: number, now: number): number;
  /** Creates the limit of one socket, which is full at first. */
  allowanceOf(limit: SocketLimit): Allowance;
}
