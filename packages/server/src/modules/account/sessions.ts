/** Which access tokens are good. A signature is checked once; then a map answers until the token expires or its session ends. */
import type { Bus } from "../../ports/bus.ts";
import type { Session, Sessions } from "../../ports/call.ts";
import type { Store } from "../../ports/store.ts";
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
  /** The last sign of life of a session; undefined when there was none that the store does not know. */
  lastSeen(sessionId: string): number | undefined;
  /** Writes the signs of life since the last time. */
  keepSeen(): Promise<void>;
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
  let seen = new Map<string, number>();
  let endings = 0;

  const forget = (token: string) => {
    const remembered = byToken.get(token);
    if (remembered === undefined) return;
    byToken.delete(token);
    const siblings = tokensOf.get(remembered.session.sessionId);
    siblings?.delete(token);
    if (siblings?.size === 0) tokensOf.delete(remembered.session.sessionId);
  };

  bus.subscribe((event) => {
    if (event.kind !== "endSessions") return;
    endings++;
    for (const sessionId of event.sessionIds)
      for (const token of tokensOf.get(sessionId) ?? []) forget(token);
  });

  const remember = (token: string, remembered: AccessClaims) => {
    if (byToken.size >= REMEMBERED_MAX) {
      for (const oldest of byToken.keys()) {
        forget(oldest);
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
      const before = endings;
      const isLive = await isSessionLive(store, session, now);
      // A session that ended while the store was asked must not be remembered as live.
      if (isLive && before !== endings) continue;
      if (!isLive) return undefined;
      remember(token, claims);
      seen.set(session.sessionId, now);
      return session;
    }
  };

  const keepSeen = async () => {
    const signs = [...seen];
    seen = new Map();
    for (let start = 0; start < signs.length; start += SEEN_BATCH) {
      const batch = signs.slice(start, start + SEEN_BATCH);
      await store.write((tx) => tx.touchSessions(batch));
    }
  };

  return {
    seen: (sessionId, now) => void seen.set(sessionId, now),
    lastSeen: (sessionId) => seen.get(sessionId),
    async end(userId, sessionIds, reason, now) {
      await store.write(async (tx) => {
        for (const id of sessionIds) await tx.updateSession(id, { endedAt: now });
      });
      // After the commit: a token that is asked for from now on is not found live again.
      bus.publish({ kind: "endSessions", userId, sessionIds, reason });
    },
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
      forget(token);
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

async function isSessionLive(store: Store, session: Session, now: number): Promise<boolean> {
  const row = await store.findSession(session.sessionId);
  if (row === undefined || row.endedAt !== null || row.expiresAt <= now || row.userId !== session.userId)
    return false;
  const user = await store.findUser(session.userId);
  return user !== undefined && user.banReason === null && user.unregisteredAt === null;
}
