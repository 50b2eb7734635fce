/** Which access tokens are valid. A signature is checked once; after that a map answers until the token expires or its session ends. */
import type { TokenPair } from "@parley/protocol/entities";
import type { LogoutReason } from "@parley/protocol/envelope";
import { isAccountActive } from "../../access/people.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Session, Sessions } from "../../api/api-call.ts";
import type { SessionRow, SessionUse, SessionWithAccount, UserRow } from "../../ports/account-store.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { AccountsReads, AccountsStore } from "./accounts-store.ts";
import { createTokenCache } from "./token-cache.ts";
import type { Tokens } from "./tokens.ts";
import { createUnsavedSessions } from "./unsaved-sessions.ts";

/** Sessions whose last sign of life is written in one transaction: few enough that other writes do not wait long. */
const SEEN_BATCH = 512;
const DELETE_BATCH = 500;
const KEEP_ENDED_MS = 24 * 3_600_000;

/** The sessions of valid access tokens, cached, and those that wait to be stored. */
export interface SessionCache extends Sessions {
  /** How many sessions have ended so far. */
  endedCount(): number;
  /**
   * Issues tokens. The access token needs no check, unless a session has ended since `endedCountBefore` was read: then its first use is
   * checked like that of any other token.
   */
  issue(session: Session, serial: number, now: number, endedCountBefore: number): Promise<TokenPair>;
  /** Finds a session that has neither ended nor expired, of an account that may be used. */
  findLive(reads: SessionReads, sessionId: string, now: number): Promise<SessionRow | undefined>;
  /** Adds a session that the full disk could not store. It is valid at once, and `saveLastSeen` stores it later. */
  addUnsaved(row: SessionRow, user: UserRow): void;
  /** Finds a session that waits to be stored. */
  findUnsaved(sessionId: string): SessionRow | undefined;
  /** The last sign of life of a session that is not stored yet; undefined if there is none. */
  lastSeen(sessionId: string): number | undefined;
  /** The address of a session that is not stored yet; undefined if there is none. */
  lastAddress(sessionId: string): string | undefined;
  /** Stores the signs of life and the addresses since the last call. */
  saveLastSeen(now: number): Promise<void>;
}

type SessionReads = Pick<AccountsReads, "findSessionWithAccount" | "findUser">;

export function createSessionCache({
  tokens,
  store,
  bus,
}: {
  tokens: Tokens;
  store: AccountsStore;
  bus: Bus;
}): SessionCache {
  const cache = createTokenCache();
  const unsaved = createUnsavedSessions({ store, bus });
  const lastSeenAt = new Map<string, number>();
  /** Of sessions that are in `lastSeenAt` too: an address waits for the next sign of life to be stored, and so costs no write of its own. */
  const addresses = new Map<string, string>();
  let endedCount = 0;

  bus.subscribe((event) => {
    if (event.kind === "interrupted") {
      endedCount++;
      cache.clear();
    }
    if (event.kind !== "endSessions") return;
    endedCount++;
    for (const sessionId of [...unsaved.end(event), ...event.sessionIds]) cache.deleteSession(sessionId);
  });

  const findWithAccount = async (
    reads: SessionReads,
    sessionId: string,
  ): Promise<SessionWithAccount | undefined> => {
    const session = unsaved.find(sessionId);
    if (session === undefined) return reads.findSessionWithAccount(sessionId);
    const account = await reads.findUser(session.userId);
    return account && { session, account };
  };

  const findLive: SessionCache["findLive"] = async (reads, sessionId, now) => {
    const found = await findWithAccount(reads, sessionId);
    if (found === undefined || !isAccountActive(found.account)) return undefined;
    const { session } = found;
    return session.endedAt === null && now < session.expiresAt ? session : undefined;
  };

  const verify = async (token: string, now: number): Promise<Session | undefined> => {
    const claims = tokens.readAccess(token, now);
    if (claims === undefined) return undefined;
    const { session } = claims;
    for (;;) {
      if (unsaved.isEnded(session.sessionId)) return undefined;
      const before = endedCount;
      const row = await findLive(store, session.sessionId, now);
      if (row?.userId !== session.userId) return undefined;
      // A session that ended while the store was asked must not be cached as live.
      if (before !== endedCount) continue;
      cache.add(token, claims);
      lastSeenAt.set(session.sessionId, now);
      return session;
    }
  };

  return {
    noteActivity: (sessionId, now) => void lastSeenAt.set(sessionId, now),
    noteAddress(sessionId, address, now) {
      lastSeenAt.set(sessionId, now);
      addresses.set(sessionId, address);
    },
    lastSeen: (sessionId) => lastSeenAt.get(sessionId),
    lastAddress: (sessionId) => addresses.get(sessionId),
    async end(userId, sessionIds, reason, now) {
      await store.write(async (tx) => {
        for (const id of sessionIds) await tx.updateSession(id, { endedAt: now, endReason: reason });
      });
      // Publish after the commit: a token that is checked from now on finds the session ended.
      bus.publish({ kind: "endSessions", userId, sessionIds, reason });
    },
    async findEnded(sessionIds) {
      // Asked before the store: a session leaves this map when it is stored.
      const stored = sessionIds.filter((id) => unsaved.find(id) === undefined);
      const found = await store.findSessionsWithAccounts(stored);
      return new Map(
        stored.flatMap((id): [string, LogoutReason][] => {
          const reason = endReasonOf(found.get(id));
          return reason === undefined ? [] : [[id, reason]];
        }),
      );
    },
    addUnsaved: unsaved.add,
    findUnsaved: unsaved.find,
    findLive,
    endedCount: () => endedCount,
    async issue(session, serial, now, endedCountBefore) {
      const { pair, claims } = await tokens.issue(session, serial, now);
      if (endedCount === endedCountBefore) cache.add(pair.accessToken, claims);
      return pair;
    },
    find(token, now) {
      const cached = cache.get(token);
      if (cached === undefined) return verify(token, now);
      if (now < cached.expiresAt) {
        lastSeenAt.set(cached.session.sessionId, now);
        return cached.session;
      }
      cache.delete(token);
      return undefined;
    },
    async saveLastSeen(now) {
      try {
        await unsaved.save(now);
      } catch (error) {
        // The disk is still full, so the writes below would fail as well.
        if (error instanceof StoreUnavailableError) return;
        throw error;
      }
      const entries = [...lastSeenAt];
      for (let start = 0; start < entries.length; start += SEEN_BATCH) {
        const batch = entries
          .slice(start, start + SEEN_BATCH)
          .map(([id, at]): SessionUse => [id, at, addresses.get(id) ?? null]);
        await store.write((tx) => tx.touchSessions(batch));
        for (const [id, at, address] of batch) {
          if (addresses.get(id) === address) addresses.delete(id);
          if (lastSeenAt.get(id) === at) lastSeenAt.delete(id);
        }
      }
    },
  };
}

/** Why the session has ended or may no longer be used; undefined if it may. A session that is not stored was forgotten after its end. */
function endReasonOf(found: SessionWithAccount | undefined): LogoutReason | undefined {
  if (found === undefined) return "sessionEnded";
  const { session, account } = found;
  if (account.unregisteredAt !== null) return "unregistered";
  if (account.banReason !== null) return "banned";
  return session.endedAt === null ? undefined : (session.endReason ?? "sessionEnded");
}

/** Deletes sessions that have been over for a day, except those of a socket that is still connected. */
export async function deleteExpiredSessions(store: Pick<AccountsStore, "write">, now: number): Promise<void> {
  const before = now - KEEP_ENDED_MS;
  let deleted: number;
  do deleted = await store.write((tx) => tx.forgetSessions(before, DELETE_BATCH));
  while (deleted === DELETE_BATCH);
}
