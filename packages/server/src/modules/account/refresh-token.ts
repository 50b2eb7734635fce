/** Exchanges a refresh token for new tokens. */
import type { ErrorParams, SessionEndParams } from "@parley/protocol/envelope";
import { REFRESH_GRACE_MS, REFRESH_TOKEN_SECONDS } from "@parley/protocol/limits";
import { ApiError } from "../../api/api-error.ts";
import type { ApiCall, Handlers, Session } from "../../api/api-call.ts";
import type { Delivery } from "../../delivery/delivery.ts";
import type { SessionRow } from "../../ports/account-store.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { AccountsStore, AccountsTx } from "./accounts-store.ts";
import type { SessionCache } from "./session-cache.ts";
import type { Tokens } from "./tokens.ts";

export interface RefreshTokenDeps {
  store: AccountsStore;
  delivery: Delivery;
  tokens: Tokens;
  sessions: SessionCache;
}

export function createRefreshToken({
  store,
  delivery,
  tokens,
  sessions,
}: RefreshTokenDeps): Pick<Handlers, "refreshToken"> {
  /** Returns the serial of the new refresh token, or why there is none. */
  const rotate = async (
    tx: AccountsTx,
    sessionId: string,
    serial: number,
    { now, ip }: Pick<ApiCall, "now" | "ip">,
  ): Promise<number | "dead" | "reused"> => {
    const row = await sessions.findLive(tx, sessionId, now);
    if (row === undefined) return "dead";
    const next = nextSerial(row, serial, now);
    if (next === undefined) {
      await tx.updateSession(row.id, { endedAt: now, endReason: "sessionEnded" });
      return "reused";
    }
    if (next !== row.refreshSerial) {
      const expiresAt = now + REFRESH_TOKEN_SECONDS * 1_000;
      const used = { lastSeenAt: now, address: ip };
      await tx.updateSession(row.id, { refreshSerial: next, refreshedAt: now, ...used, expiresAt });
    }
    return next;
  };

  return {
    async refreshToken(call) {
      const { now } = call;
      const token = call.header("refreshToken");
      const claims = token === null ? undefined : tokens.readRefresh(token, now);
      if (claims === undefined) throw new ApiError("auth.refreshExpired");
      const { session, serial } = claims;
      const { userId, sessionId } = session;
      const endedCount = sessions.endedCount();
      const rotated = await store
        .write((tx) => rotate(tx, sessionId, serial, call))
        .catch(async (error: unknown) => {
          if (!(error instanceof StoreUnavailableError)) throw error;
          // The next serial cannot be stored, so the newest refresh token stays the newest.
          const row = await sessions.findLive(store, sessionId, now);
          if (serial !== row?.refreshSerial) throw error;
          return serial;
        });
      if (rotated === "reused") delivery.endSessions(userId, [sessionId], "sessionEnded");
      if (typeof rotated === "string")
        throw new ApiError("auth.refreshExpired", await endReasonOf(store, session));
      sessions.noteAddress(sessionId, call.ip, now);
      return sessions.issue(session, rotated, now, endedCount);
    },
  };
}

/**
 * The serial of the refresh token that follows this one; undefined if this one was used before. Two tabs may refresh at once, or an answer
 * may get lost: for a while the previous refresh token still works, and what follows it is the newest.
 */
export function nextSerial(
  { refreshSerial, refreshedAt }: Pick<SessionRow, "refreshSerial" | "refreshedAt">,
  serial: number,
  now: number,
): number | undefined {
  if (serial === refreshSerial) return serial + 1;
  return serial === refreshSerial - 1 && now - refreshedAt <= REFRESH_GRACE_MS ? refreshSerial : undefined;
}

/** Why a session ended, for a client that missed the push; for a ban with its reason. */
async function endReasonOf(store: AccountsStore, session: Session): Promise<ErrorParams | undefined> {
  const user = await store.findUser(session.userId);
  if (user?.banReason != null) return { reason: "banned", text: user.banReason } satisfies SessionEndParams;
  const reason = (await store.findSession(session.sessionId))?.endReason;
  return reason == null ? undefined : ({ reason } satisfies SessionEndParams);
}
