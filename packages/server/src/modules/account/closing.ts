/** Accounts that close: banned by an administrator, or given up by their owner. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { Signal } from "@parley/protocol/message";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Handlers } from "../../ports/call.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Store, Tx } from "../../ports/store.ts";
import { tellFriends } from "./friends-view.ts";

export interface ClosingDeps {
  store: Store;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers" | "endSessions" | "changed">;
  /** Ends what ties the person to others, inside the write; answers what tells them after its commit. */
  leaveOthers(tx: Tx, userId: number, now: number): Promise<() => Promise<void>>;
}

export interface Closing {
  /** Again with another reason: the new one counts. */
  ban(userId: number, reason: string, now: number): Promise<void>;
  unban(userId: number): Promise<void>;
  /** For good: the name stays taken. */
  unregister(userId: number, now: number): Promise<void>;
}

export function createClosing(deps: ClosingDeps): Closing {
  const { store, delivery, leaveOthers } = deps;

  /** The account's clients first hear why, then their sessions end. */
  const putOut = (
    userId: number,
    sessionIds: readonly string[],
    type: typeof MessageType.USER_BANNED | typeof MessageType.USER_UNREG,
    content: string,
  ): void => {
    const signal: Signal = { type, recvId: userId, content };
    delivery.toUsers([userId], frameOf(Cmd.SYSTEM, signal));
    const reason = type === MessageType.USER_BANNED ? "banned" : "unregistered";
    delivery.endSessions(userId, sessionIds, reason, null);
  };

  const showFriends = async (userId: number): Promise<void> => {
    const user = await store.findUser(userId);
    if (user !== undefined) await tellFriends(deps, user);
  };

  return {
    async ban(userId, reason, now) {
      const sessionIds = await store.write(async (tx) => {
        await tx.setBanReason(userId, reason);
        return tx.endSessions(userId, null, "banned", now);
      });
      putOut(userId, sessionIds, MessageType.USER_BANNED, reason);
      delivery.changed([userId]);
      await showFriends(userId);
    },

    async unban(userId) {
      await store.write((tx) => tx.setBanReason(userId, null));
      delivery.changed([userId]);
      await showFriends(userId);
    },

    async unregister(userId, now) {
      const { sessionIds, tellOthers } = await store.write(async (tx) => {
        await tx.setUnregistered(userId, now);
        const left = await leaveOthers(tx, userId, now);
        return { sessionIds: await tx.endSessions(userId, null, "unregistered", now), tellOthers: left };
      });
      putOut(userId, sessionIds, MessageType.USER_UNREG, "");
      delivery.changed([userId]);
      await tellOthers();
    },
  };
}

export function createUnregister(closing: Closing): Pick<Handlers, "unregister"> {
  return {
    async unregister({ actor, now }) {
      await closing.unregister(actor.userId, now);
      return null;
    },
  };
}
