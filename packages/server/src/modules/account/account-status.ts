/** Accounts that close: banned by an administrator, or given up by their owner. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { SystemSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Handlers } from "../../ports/call.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Store, Tx } from "../../ports/store.ts";
import { notifyFriends } from "./notify-friends.ts";

export interface AccountStatusDeps {
  store: Store;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers" | "endSessions" | "invalidateUsers">;
  /** Ends what ties the person to others, inside the write; answers what tells them after its commit. */
  removeRelationships(tx: Tx, userId: number, now: number): Promise<() => Promise<void>>;
}

export interface AccountStatus {
  /** Again with another reason: the new one counts. */
  ban(userId: number, reason: string, now: number): Promise<void>;
  unban(userId: number): Promise<void>;
  /** For good: the name stays taken. */
  unregister(userId: number, now: number): Promise<void>;
}

export function createAccountStatus(deps: AccountStatusDeps): AccountStatus {
  const { store, delivery, removeRelationships } = deps;

  /** The account's clients first hear why, then their sessions end. */
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
    async ban(userId, reason, now) {
      const sessionIds = await store.write(async (tx) => {
        await tx.setBanReason(userId, reason);
        return tx.endSessions(userId, null, "banned", now);
      });
      endAllSessions(userId, sessionIds, MessageType.USER_BANNED, reason);
      delivery.invalidateUsers([userId]);
      await notifyFriendsOf(userId);
    },

    async unban(userId) {
      await store.write((tx) => tx.setBanReason(userId, null));
      delivery.invalidateUsers([userId]);
      await notifyFriendsOf(userId);
    },

    async unregister(userId, now) {
      const { sessionIds, tellOthers } = await store.write(async (tx) => {
        await tx.setUnregistered(userId, now);
        const notifyOthers = await removeRelationships(tx, userId, now);
        return {
          sessionIds: await tx.endSessions(userId, null, "unregistered", now),
          tellOthers: notifyOthers,
        };
      });
      endAllSessions(userId, sessionIds, MessageType.USER_UNREG, "");
      delivery.invalidateUsers([userId]);
      await tellOthers();
    },
  };
}

export function createUnregister(accountStatus: AccountStatus): Pick<Handlers, "unregister"> {
  return {
    async unregister({ actor, now }) {
      await accountStatus.unregister(actor.userId, now);
      return null;
    },
  };
}
