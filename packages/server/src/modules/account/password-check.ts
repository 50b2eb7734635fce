/** Checks passwords, and limits how many wrong ones may be tried. */
import { TMP_ID_MAX } from "@parley/protocol/limits";
import type { ErrorKey } from "@parley/protocol/errors";
import type { Actor } from "../../api/api-call.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import { networkOf } from "../../api/network-of.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { AccountsReads } from "./accounts-store.ts";
import type { PasswordHasher, PasswordMatch } from "./password-hasher.ts";
import type { SessionCache } from "./session-cache.ts";

/** Whether the password is that of the user. `name` may be nobody's, which takes as long. Throws if there were too many wrong attempts. */
export type CheckPassword = (
  name: string,
  ip: string,
  password: string,
  user: UserRow | undefined,
) => Promise<PasswordMatch | false>;

/**
 * Counts an attempt before the check, so that parallel attempts gain nothing, and refunds it if the password is right. An attempt counts
 * only when its turn in the queue comes, so that many parallel right passwords do not reach the limit.
 */
export function createPasswordCheck({
  rateLimiter,
  passwordHasher,
}: {
  rateLimiter: RateLimiter;
  passwordHasher: PasswordHasher;
}): CheckPassword {
  return async (name, ip, password, user) => {
    const network = networkOf(ip);
    const key = `${name.toLowerCase().slice(0, TMP_ID_MAX)} ${network}`;
    const count = async () => {
      // The address first: the limiter remembers each name until its window ends, also after a refund.
      refuseIfLimited(await rateLimiter.consume("wrongPasswordsOfAddress", network));
      const seconds = await rateLimiter.consume("wrongPasswordsOfName", key);
      // No password was checked, so the attempt must not count against the address.
      if (seconds > 0) await rateLimiter.refund("wrongPasswordsOfAddress", network);
      refuseIfLimited(seconds);
    };
    const match = await passwordHasher.verify(password, user?.passwordHash, count, network);
    if (match === false) return false;
    await rateLimiter.refund("wrongPasswordsOfName", key);
    await rateLimiter.refund("wrongPasswordsOfAddress", network);
    return match;
  };
}

/**
 * Checks in the transaction of a change what may have become out of date since the password was checked, which takes long. Throws
 * `auth.tokenInvalid` if the session has ended, and `wrong` if the password is no longer that of `user`.
 */
export async function recheckPassword(
  tx: AccountsReads,
  sessions: Pick<SessionCache, "findLive">,
  { actor, user, now, wrong }: { actor: Actor; user: UserRow; now: number; wrong: ErrorKey },
): Promise<void> {
  if ((await sessions.findLive(tx, actor.sessionId, now)) === undefined)
    throw new ApiError("auth.tokenInvalid");
  if ((await tx.findUser(user.id))?.passwordHash !== user.passwordHash) throw new ApiError(wrong);
}
