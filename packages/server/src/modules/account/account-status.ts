/** Bans and closes accounts. An administrator can do both; people can close their own account. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { SystemSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import { recordAct, requireOtherAdmin } from "../../access/administration.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import type { Transactions } from "../../ports/store.ts";
import type { Presence } from "../../ports/presence.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { AccountsReads, AccountsTx } from "./accounts-store.ts";
import { notifyFriends } from "./notify-friends.ts";
import { createPasswordCheck, recheckPassword } from "./password-check.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import type { SessionCache } from "./session-cache.ts";

/** `T` is a transaction that can also end the relationships. */
export interface AccountStatusDeps<T extends AccountsTx> {
  store: AccountsReads & Transactions<T>;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers" | "endSessions" | "invalidateUsers">;
  /** Ends the person's relationships to others within the write. Returns a function that notifies the others after the commit. */
  removeRelationships(tx: T, userId: number, now: number): Promise<() => Promise<void>>;
}

/** Writes the act, if it is one of an administrator, in the transaction of the change. Throws if there must be no change. */
export type RecordInTx = (tx: AccountsTx) => Promise<void>;

/** Bans, unbans and closes accounts. */
export interface AccountStatus {
  /** Banning a person again replaces the reason. Throws if this is the last administrator. */
  ban(userId: number, reason: string, now: number, record: RecordInTx): Promise<void>;
  unban(userId: number, record: RecordInTx): Promise<void>;
  /** Closes the account permanently. The user name stays taken. Throws if this is the last administrator. */
  unregister(userId: number, now: number, record: RecordInTx): Promise<void>;
}

export function createAccountStatus<T extends AccountsTx>(deps: AccountStatusDeps<T>): AccountStatus {
  const { store, delivery, removeRelationships } = deps;

  /** Tells the account's clients the reason, then ends their sessions. */
  const endAllSessions = (
    userId: number,
    sessionIds: readonly string[],
    type: typeof MessageType.USER_BANNED | typeof MessageType.USER_UNREG,
    content: string,
  ): void => {
    const signal: SystemSignal = { type, recvId: userId, content };
    delivery.toUsers([userId], frameOf(Cmd.SYSTEM, signal));
    const reason = type === MessageType.USER_BANNED ? "banned" : "unregistered";
    delivery.endSessions(userId, sessionIds, reason, null);
  };

  const notifyFriendsOf = async (userId: number): Promise<void> => {
    const user = await store.findUser(userId);
    if (user !== undefined) await notifyFriends(deps, user);
  };

  return {
    async ban(userId, reason, now, record) {
      const sessionIds = await store.write(async (tx) => {
        await requireOtherAdmin(tx, userId);
        await record(tx);
        await tx.setBanReason(userId, reason);
        return tx.endSessions(userId, null, "banned", now);
      });
      endAllSessions(userId, sessionIds, MessageType.USER_BANNED, reason);
      delivery.invalidateUsers([userId]);
      await notifyFriendsOf(userId);
    },

    async unban(userId, record) {
      await store.write(async (tx) => {
        await record(tx);
        await tx.setBanReason(userId, null);
      });
      delivery.invalidateUsers([userId]);
      await notifyFriendsOf(userId);
    },

    async unregister(userId, now, record) {
      const { sessionIds, notifyOthers } = await store.write(async (tx) => {
        await requireOtherAdmin(tx, userId);
        await record(tx);
        await tx.setAdmin(userId, false);
        await tx.setUnregistered(userId, now);
        const notifyOthers = await removeRelationships(tx, userId, now);
        return {
          sessionIds: await tx.endSessions(userId, null, "unregistered", now),
          notifyOthers,
        };
      });
      endAllSessions(userId, sessionIds, MessageType.USER_UNREG, "");
      delivery.invalidateUsers([userId]);
      await notifyOthers();
    },
  };
}

export interface UnregisterDeps {
  store: AccountsReads;
  rateLimiter: RateLimiter;
  passwordHasher: PasswordHasher;
  sessions: SessionCache;
}

/** How long after a login an account can be closed without the password: clients of others of this protocol ask for none. */
const FRESH_LOGIN_MS = 5 * 60_000;

/** The handler by which people close their own account. A wrong password counts as a wrong login. */
export function createUnregister(
  accountStatus: AccountStatus,
  deps: UnregisterDeps,
): Pick<Handlers, "unregister"> {
  const { store, sessions } = deps;
  const checkPassword = createPasswordCheck(deps);
  const isFresh = async (sessionId: string, now: number): Promise<boolean> => {
    const session = await store.findSession(sessionId);
    return session !== undefined && now - session.createdAt < FRESH_LOGIN_MS;
  };
  return {
    async unregister({ actor, body, ip, now }) {
      const user = await store.findUser(actor.userId);
      if (user === undefined) throw new ApiError("user.notFound");
      const password = body?.password ?? null;
      const isAllowed =
        password === null
          ? await isFresh(actor.sessionId, now)
          : (await checkPassword(user.userName, ip, password, user)) !== false;
      if (!isAllowed) throw new ApiError("password.wrong");
      await accountStatus.unregister(user.id, now, async (tx) => {
        await recheckPassword(tx, sessions, { actor, user, now, wrong: "password.wrong" });
        // It ends the role, which is recorded whoever takes it away.
        if ((await tx.findUser(user.id))?.isAdmin !== true) return;
        await recordAct(tx, {
          actorId: user.id,
          address: ip,
          action: "unregister",
          isLook: false,
          target: { kind: "person", id: user.id, name: user.userName },
          at: now,
        });
      });
      return null;
    },
  };
}
