/** Which access tokens are good. A signature is checked once; then a map answers until the token expires or its session ends. */
import type { LogoutReason } from "@parley/protocol/envelope";
import { type Bus, endsSession } from "../../ports/bus.ts";
import type { Session, Sessions } from "../../ports/call.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { SessionRow, Store, UserRow } from "../../ports/store.ts";
import type { AccessClaims, Tokens } from "./tokens.ts";

const CACHED_MAX = 50_000;
/** Sessions whose last sign of life is written at once: few enough that nobody waits behind them. */
const SEEN_BATCH = 200;
const DELETE_BATCH = 500;
const KEEP_ENDED_MS = 24 * 3_600_000;

export interface SessionCache extends Sessions {
  /** How many sessions have ended so far. */
  endedCount(): number;
  /**
   * Takes a token that was just issued as checked, unless some session has ended since `endings` were counted: then its first use is
   * checked like any other's.
   */
  addVerified(accessToken: string, claims: AccessClaims, endings: number): void;
  /** A session that there is no room for: it is good from now on, and is written with the signs of life. */
  addUnsaved(row: SessionRow, user: UserRow): void;
  /** A session that waits to be written. */
  findUnsaved(sessionId: string): SessionRow | undefined;
  /** The last sign of life of a session; undefined when there was none that the store does not know. */
  lastSeen(sessionId: string): number | undefined;
  /** Writes the signs of life since the last time. */
  saveLastSeen(now: number): Promise<void>;
}

export function createSessionCache({
  tokens,
  store,
  bus,
}: {
  tokens: Tokens;
  store: Store;
  bus: Bus;
}): SessionCache {
  const byToken = new Map<string, AccessClaims>();
  const tokensOf = new Map<string, Set<string>>();
  const seen = new Map<string, number>();
  let endedCount = 0;
  /** With the hash of the password that each was begun with. */
  const unsaved = new Map<string, { row: SessionRow; passwordHash: string }>();
  /**
   * Whose session waited until the last round, by its id: whoever ended it at the moment of its write has not found it in the store. Told of
   * its end it stays here with the reason, which the next round writes.
   */
  const justSaved = new Map<string, { userId: number; endReason: LogoutReason | null }>();

  const evictToken = (token: string, sessionId: string) => {
    byToken.delete(token);
    const siblings = tokensOf.get(sessionId);
    siblings?.delete(token);
    if (siblings?.size === 0) tokensOf.delete(sessionId);
  };

  const evictSession = (sessionId: string) => {
    for (const token of tokensOf.get(sessionId) ?? []) evictToken(token, sessionId);
  };

  bus.subscribe((event) => {
    if (event.kind !== "endSessions") return;
    endedCount++;
    const { userId, reason } = event;
    for (const [id, { row }] of unsaved) {
      if (row.userId !== userId || !endsSession(event, id)) continue;
      unsaved.delete(id);
      evictSession(id);
    }
    for (const [id, kept] of justSaved) {
      if (kept.userId !== userId || !endsSession(event, id)) continue;
      kept.endReason = reason;
      evictSession(id);
    }
    for (const sessionId of event.sessionIds) evictSession(sessionId);
  });

  const cacheClaims = (token: string, remembered: AccessClaims) => {
    if (byToken.size >= CACHED_MAX) {
      for (const [oldest, { session }] of byToken) {
        evictToken(oldest, session.sessionId);
        break;
      }
    }
    byToken.set(token, remembered);
    const siblings = tokensOf.get(remembered.session.sessionId);
    if (siblings) siblings.add(token);
    else tokensOf.set(remembered.session.sessionId, new Set([token]));
  };

  const verify = async (token: string, now: number): Promise<Session | undefined> => {
    const claims = tokens.readAccess(token, now);
    if (claims === undefined) return undefined;
    const { session } = claims;
    for (;;) {
      if (justSaved.get(session.sessionId)?.endReason != null) return undefined;
      const before = endedCount;
      const isLive = await isSessionLive(store, session, now, unsaved.get(session.sessionId)?.row);
      // A session that ended while the store was asked must not be remembered as live.
      if (isLive && before !== endedCount) continue;
      if (!isLive) return undefined;
      cacheClaims(token, claims);
      seen.set(session.sessionId, now);
      return session;
    }
  };

  const keepWaiting = async () => {
    for (const [id, { row, passwordHash }] of unsaved) {
      const isKept = await store.write(async (tx) => {
        if (!unsaved.has(id)) return false;
        const user = await tx.findUser(row.userId);
        if (user === undefined || !isAccountActive(user) || user.passwordHash !== passwordHash) return false;
        await tx.insertSession(row);
        return true;
      });
      // Gone from there: it was ended while it was written.
      const isEnded = !unsaved.delete(id);
      if (isKept) justSaved.set(id, { userId: row.userId, endReason: isEnded ? "sessionEnded" : null });
      else if (!isEnded)
        bus.publish({ kind: "endSessions", userId: row.userId, sessionIds: [id], reason: "sessionEnded" });
    }
  };

  /** Those that were kept in the round before: whoever ended one of them has been heard by now. */
  const endKept = async (now: number) => {
    for (const [id, { endReason }] of justSaved) {
      if (endReason !== null) await store.write((tx) => tx.updateSession(id, { endedAt: now, endReason }));
      justSaved.delete(id);
    }
  };

  const saveLastSeen = async (now: number) => {
    try {
      await endKept(now);
      await keepWaiting();
    } catch (error) {
      // Still no room: nothing else would find any.
      if (error instanceof StoreUnavailableError) return;
      throw error;
    }
    const signs = [...seen];
    for (let start = 0; start < signs.length; start += SEEN_BATCH) {
      const batch = signs.slice(start, start + SEEN_BATCH);
      await store.write((tx) => tx.touchSessions(batch));
      for (const [id, at] of batch) if (seen.get(id) === at) seen.delete(id);
    }
  };

  return {
    seen: (sessionId, now) => void seen.set(sessionId, now),
    lastSeen: (sessionId) => seen.get(sessionId),
    async end(userId, sessionIds, reason, now) {
      await store.write(async (tx) => {
        for (const id of sessionIds) await tx.updateSession(id, { endedAt: now, endReason: reason });
      });
      // After the commit: a token that is asked for from now on is not found live again.
      bus.publish({ kind: "endSessions", userId, sessionIds, reason });
    },
    addUnsaved: (row, { passwordHash }) => void unsaved.set(row.id, { row, passwordHash }),
    findUnsaved: (sessionId) => unsaved.get(sessionId)?.row,
    saveLastSeen,
    endedCount: () => endedCount,
    addVerified(accessToken, claims, endingsBefore) {
      if (endedCount === endingsBefore) cacheClaims(accessToken, claims);
    },
    find(token, now) {
      const remembered = byToken.get(token);
      if (remembered === undefined) return verify(token, now);
      if (now < remembered.expiresAt) {
        seen.set(remembered.session.sessionId, now);
        return remembered.session;
      }
      evictToken(token, remembered.session.sessionId);
      return undefined;
    },
  };
}

/** Removes sessions that have been over for a day; those of a socket that is still there are kept. */
export async function deleteExpiredSessions(store: Pick<Store, "write">, now: number): Promise<void> {
  const before = now - KEEP_ENDED_MS;
  let forgotten: number;
  do forgotten = await store.write((tx) => tx.forgetSessions(before, DELETE_BATCH));
  while (forgotten === DELETE_BATCH);
}

async function isSessionLive(
  store: Store,
  session: Session,
  now: number,
  waiting: SessionRow | undefined,
): Promise<boolean> {
  const row = waiting ?? (await store.findSession(session.sessionId));
  if (row === undefined || row.endedAt !== null || row.expiresAt <= now || row.userId !== session.userId)
    return false;
  const user = await store.findUser(session.userId);
  return user !== undefined && isAccountActive(user);
}

/** Whether the account may be used. */
export function isAccountActive(user: UserRow): boolean {
  return user.banReason === null && user.unregisteredAt === null;
}
