/** Which access tokens are good. A signature is checked once; then a map answers until the token expires or its session ends. */
import type { LogoutReason } from "@parley/protocol/envelope";
import { type Bus, endsSession } from "../../ports/bus.ts";
import type { Session, Sessions } from "../../ports/call.ts";
import { StoreLater } from "../../ports/later.ts";
import type { SessionRow, Store, UserRow } from "../../ports/store.ts";
import type { AccessClaims, Tokens } from "./tokens.ts";

const REMEMBERED_MAX = 50_000;
/** Sessions whose last sign of life is written at once: few enough that nobody waits behind them. */
const SEEN_BATCH = 200;
const FORGET_BATCH = 500;
const OVER_MS = 24 * 3_600_000;

export interface KnownSessions extends Sessions {
  /** How many sessions have ended so far. */
  countEndings(): number;
  /**
   * Takes a token that was just issued as checked, unless some session has ended since `endings` were counted: then its first use is
   * checked like any other's.
   */
  remember(accessToken: string, claims: AccessClaims, endings: number): void;
  /** A session that there is no room for: it is good from now on, and is written with the signs of life. */
  keepLater(row: SessionRow, user: UserRow): void;
  /** A session that waits to be written. */
  findWaiting(sessionId: string): SessionRow | undefined;
  /** The last sign of life of a session; undefined when there was none that the store does not know. */
  lastSeen(sessionId: string): number | undefined;
  /** Writes the signs of life since the last time. */
  keepSeen(now: number): Promise<void>;
}

export function createSessions({
  tokens,
  store,
  bus,
}: {
  tokens: Tokens;
  store: Store;
  bus: Bus;
}): KnownSessions {
  const byToken = new Map<string, AccessClaims>();
  const tokensOf = new Map<string, Set<string>>();
  const seen = new Map<string, number>();
  let endings = 0;
  /** With the hash of the password that each was begun with. */
  const waiting = new Map<string, { row: SessionRow; passwordHash: string }>();
  /**
   * Whose session waited until the last round, by its id: whoever ended it at the moment of its write has not found it in the store. Told of
   * its end it stays here with the reason, which the next round writes.
   */
  const justKept = new Map<string, { userId: number; endReason: LogoutReason | null }>();

  const forget = (token: string, sessionId: string) => {
    byToken.delete(token);
    const siblings = tokensOf.get(sessionId);
    siblings?.delete(token);
    if (siblings?.size === 0) tokensOf.delete(sessionId);
  };

  const forgetSession = (sessionId: string) => {
    for (const token of tokensOf.get(sessionId) ?? []) forget(token, sessionId);
  };

  bus.subscribe((event) => {
    if (event.kind !== "endSessions") return;
    endings++;
    const { userId, reason } = event;
    for (const [id, { row }] of waiting) {
      if (row.userId !== userId || !endsSession(event, id)) continue;
      waiting.delete(id);
      forgetSession(id);
    }
    for (const [id, kept] of justKept) {
      if (kept.userId !== userId || !endsSession(event, id)) continue;
      kept.endReason = reason;
      forgetSession(id);
    }
    for (const sessionId of event.sessionIds) forgetSession(sessionId);
  });

  const remember = (token: string, remembered: AccessClaims) => {
    if (byToken.size >= REMEMBERED_MAX) {
      for (const [oldest, { session }] of byToken) {
        forget(oldest, session.sessionId);
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
      if (justKept.get(session.sessionId)?.endReason != null) return undefined;
      const before = endings;
      const isLive = await isSessionLive(store, session, now, waiting.get(session.sessionId)?.row);
      // A session that ended while the store was asked must not be remembered as live.
      if (isLive && before !== endings) continue;
      if (!isLive) return undefined;
      remember(token, claims);
      seen.set(session.sessionId, now);
      return session;
    }
  };

  const keepWaiting = async () => {
    for (const [id, { row, passwordHash }] of waiting) {
      const isKept = await store.write(async (tx) => {
        if (!waiting.has(id)) return false;
        const user = await tx.findUser(row.userId);
        if (user === undefined || !isOpen(user) || user.passwordHash !== passwordHash) return false;
        await tx.insertSession(row);
        return true;
      });
      // Gone from there: it was ended while it was written.
      const isEnded = !waiting.delete(id);
      if (isKept) justKept.set(id, { userId: row.userId, endReason: isEnded ? "sessionEnded" : null });
      else if (!isEnded)
        bus.publish({ kind: "endSessions", userId: row.userId, sessionIds: [id], reason: "sessionEnded" });
    }
  };

  /** Those that were kept in the round before: whoever ended one of them has been heard by now. */
  const endKept = async (now: number) => {
    for (const [id, { endReason }] of justKept) {
      if (endReason !== null) await store.write((tx) => tx.updateSession(id, { endedAt: now, endReason }));
      justKept.delete(id);
    }
  };

  const keepSeen = async (now: number) => {
    try {
      await endKept(now);
      await keepWaiting();
    } catch (error) {
      // Still no room: nothing else would find any.
      if (error instanceof StoreLater) return;
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
    keepLater: (row, { passwordHash }) => void waiting.set(row.id, { row, passwordHash }),
    findWaiting: (sessionId) => waiting.get(sessionId)?.row,
    keepSeen,
    countEndings: () => endings,
    remember(accessToken, claims, endingsBefore) {
      if (endings === endingsBefore) remember(accessToken, claims);
    },
    find(token, now) {
      const remembered = byToken.get(token);
      if (remembered === undefined) return verify(token, now);
      if (now < remembered.expiresAt) {
        seen.set(remembered.session.sessionId, now);
        return remembered.session;
      }
      forget(token, remembered.session.sessionId);
      return undefined;
    },
  };
}

/** Removes sessions that have been over for a day; those of a socket that is still there are kept. */
export async function forgetSessions(store: Pick<Store, "write">, now: number): Promise<void> {
  const before = now - OVER_MS;
  let forgotten: number;
  do forgotten = await store.write((tx) => tx.forgetSessions(before, FORGET_BATCH));
  while (forgotten === FORGET_BATCH);
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
  return user !== undefined && isOpen(user);
}

/** Whether the account may be used. */
export function isOpen(user: UserRow): boolean {
  return user.banReason === null && user.unregisteredAt === null;
}
