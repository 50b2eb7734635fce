/** Which access tokens are valid. A signature is checked once; after that a map answers until the token expires or its session ends. */
import type { LogoutReason } from "@parley/protocol/envelope";
import { type Bus, endsSession } from "../../ports/bus.ts";
import type { Session, Sessions } from "../../calls/call.ts";
import type { SessionRow, UserRow } from "../../ports/account-store.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { AccountsStore } from "./accounts-store.ts";
import type { AccessClaims, Tokens } from "./tokens.ts";

const CACHED_MAX = 50_000;
/** Sessions whose last sign of life is written in one transaction: few enough that other writes do not wait long. */
const SEEN_BATCH = 200;
const DELETE_BATCH = 500;
const KEEP_ENDED_MS = 24 * 3_600_000;

/** The sessions of valid access tokens, cached, and those that wait to be stored. */
export interface SessionCache extends Sessions {
  /** How many sessions have ended so far. */
  endedCount(): number;
  /**
   * Caches a token that was just issued, so that it needs no check, unless a session has ended since `endedCountBefore` was read: then
   * its first use is checked like that of any other token.
   */
  addVerified(accessToken: string, claims: AccessClaims, endedCountBefore: number): void;
  /** Adds a session that the full disk could not store. It is valid at once, and `saveLastSeen` stores it later. */
  addUnsaved(row: SessionRow, user: UserRow): void;
  /** Finds a session that waits to be stored. */
  findUnsaved(sessionId: string): SessionRow | undefined;
  /** The last sign of life of a session that is not stored yet; undefined if there is none. */
  lastSeen(sessionId: string): number | undefined;
  /** Stores the signs of life since the last call. */
  saveLastSeen(now: number): Promise<void>;
}

export function createSessionCache({
  tokens,
  store,
  bus,
}: {
  tokens: Tokens;
  store: AccountsStore;
  bus: Bus;
}): SessionCache {
  const byToken = new Map<string, AccessClaims>();
  const tokensOf = new Map<string, Set<string>>();
  const lastSeenAt = new Map<string, number>();
  let endedCount = 0;
  /** With the hash of the password that was used for the login. */
  const unsaved = new Map<string, { row: SessionRow; passwordHash: string }>();
  /**
   * The sessions that the last round of `saveLastSeen` stored, by id. A call that ended such a session at the moment of its write did
   * not find it in the store. The event on the bus then sets the reason here, and the next round stores it.
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
    for (const [id, saved] of justSaved) {
      if (saved.userId !== userId || !endsSession(event, id)) continue;
      saved.endReason = reason;
      evictSession(id);
    }
    for (const sessionId of event.sessionIds) evictSession(sessionId);
  });

  const cacheClaims = (token: string, claims: AccessClaims) => {
    if (byToken.size >= CACHED_MAX) {
      for (const [oldest, { session }] of byToken) {
        evictToken(oldest, session.sessionId);
        break;
      }
    }
    byToken.set(token, claims);
    const siblings = tokensOf.get(claims.session.sessionId);
    if (siblings) siblings.add(token);
    else tokensOf.set(claims.session.sessionId, new Set([token]));
  };

  const verify = async (token: string, now: number): Promise<Session | undefined> => {
    const claims = tokens.readAccess(token, now);
    if (claims === undefined) return undefined;
    const { session } = claims;
    for (;;) {
      if (justSaved.get(session.sessionId)?.endReason != null) return undefined;
      const before = endedCount;
      const isLive = await isSessionLive(store, session, now, unsaved.get(session.sessionId)?.row);
      // A session that ended while the store was asked must not be cached as live.
      if (isLive && before !== endedCount) continue;
      if (!isLive) return undefined;
      cacheClaims(token, claims);
      lastSeenAt.set(session.sessionId, now);
      return session;
    }
  };

  const storeUnsaved = async () => {
    for (const [id, { row, passwordHash }] of unsaved) {
      const isSaved = await store.write(async (tx) => {
        if (!unsaved.has(id)) return false;
        const user = await tx.findUser(row.userId);
        if (user === undefined || !isAccountActive(user) || user.passwordHash !== passwordHash) return false;
        await tx.insertSession(row);
        return true;
      });
      // If it is no longer in the map, it was ended while it was written.
      const isEnded = !unsaved.delete(id);
      if (isSaved) justSaved.set(id, { userId: row.userId, endReason: isEnded ? "sessionEnded" : null });
      else if (!isEnded)
        bus.publish({ kind: "endSessions", userId: row.userId, sessionIds: [id], reason: "sessionEnded" });
    }
  };

  /** Handles the sessions that the round before stored: the bus has reported by now if one of them was ended meanwhile. */
  const storeMissedEnds = async (now: number) => {
    for (const [id, { endReason }] of justSaved) {
      if (endReason !== null) await store.write((tx) => tx.updateSession(id, { endedAt: now, endReason }));
      justSaved.delete(id);
    }
  };

  const saveLastSeen = async (now: number) => {
    try {
      await storeMissedEnds(now);
      await storeUnsaved();
    } catch (error) {
      // The disk is still full, so the writes below would fail as well.
      if (error instanceof StoreUnavailableError) return;
      throw error;
    }
    const entries = [...lastSeenAt];
    for (let start = 0; start < entries.length; start += SEEN_BATCH) {
      const batch = entries.slice(start, start + SEEN_BATCH);
      await store.write((tx) => tx.touchSessions(batch));
      for (const [id, at] of batch) if (lastSeenAt.get(id) === at) lastSeenAt.delete(id);
    }
  };

  return {
    noteActivity: (sessionId, now) => void lastSeenAt.set(sessionId, now),
    lastSeen: (sessionId) => lastSeenAt.get(sessionId),
    async end(userId, sessionIds, reason, now) {
      await store.write(async (tx) => {
        for (const id of sessionIds) await tx.updateSession(id, { endedAt: now, endReason: reason });
      });
      // Publish after the commit: a token that is checked from now on finds the session ended.
      bus.publish({ kind: "endSessions", userId, sessionIds, reason });
    },
    addUnsaved: (row, { passwordHash }) => void unsaved.set(row.id, { row, passwordHash }),
    findUnsaved: (sessionId) => unsaved.get(sessionId)?.row,
    saveLastSeen,
    endedCount: () => endedCount,
    addVerified(accessToken, claims, endedCountBefore) {
      if (endedCount === endedCountBefore) cacheClaims(accessToken, claims);
    },
    find(token, now) {
      const cached = byToken.get(token);
      if (cached === undefined) return verify(token, now);
      if (now < cached.expiresAt) {
        lastSeenAt.set(cached.session.sessionId, now);
        return cached.session;
      }
      evictToken(token, cached.session.sessionId);
      return undefined;
    },
  };
}

/** Deletes sessions that have been over for a day, except those of a socket that is still connected. */
export async function deleteExpiredSessions(store: Pick<AccountsStore, "write">, now: number): Promise<void> {
  const before = now - KEEP_ENDED_MS;
  let deleted: number;
  do deleted = await store.write((tx) => tx.forgetSessions(before, DELETE_BATCH));
  while (deleted === DELETE_BATCH);
}

async function isSessionLive(
  store: AccountsStore,
  session: Session,
  now: number,
  unsavedRow: SessionRow | undefined,
): Promise<boolean> {
  const row = unsavedRow ?? (await store.findSession(session.sessionId));
  if (row === undefined || row.endedAt !== null || row.expiresAt <= now || row.userId !== session.userId)
    return false;
  const user = await store.findUser(session.userId);
  return user !== undefined && isAccountActive(user);
}

/** Whether the account may be used. */
export function isAccountActive(user: UserRow): boolean {
  return user.banReason === null && user.unregisteredAt === null;
}
