/** The limits that count calls in a window of time. */
export type WindowLimit =
  | "wrongPasswordsOfName"
  | "wrongPasswordsOfAddress"
  | "setups"
  | "reports"
  | "registrations"
  | "anonymousUploads"
  | "uploads"
  | "friendRequests"
  | "calls"
  | "searches"
  | "profileChanges"
  | "groupChanges"
  | "exports"
  | "exportLinks";

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
  /** Like `consume`, for messages. Synchronous, because every message calls it. */
  consumeSend(userId: number, now: number): number;
}
