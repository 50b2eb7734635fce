/** The people whom a person has blocked. They cannot send that person messages or friend requests, and cannot call. */
import { CHANGED_PEOPLE } from "@parley/protocol/message";
import { type Delivery, changesFrame } from "../../delivery/delivery.ts";
import { findKnown } from "../../access/acquaintance.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import { publicInfo } from "../../presenters/person-presenter.ts";
import type { ContactsStore } from "./contacts-store.ts";

export interface BlacklistDeps {
  store: ContactsStore;
  delivery: Delivery;
  /** Called when one of two people has blocked the other. */
  parted(userId: number, otherId: number): Promise<void>;
}

type BlacklistHandlers = Pick<Handlers, "addToBlacklist" | "removeFromBlacklist" | "listBlacklist">;

export function createBlacklist({ store, delivery, parted }: BlacklistDeps): BlacklistHandlers {
  /** Tells the person's other clients to load their lists of people again. */
  const notifyOwnDevices = (actor: Actor, otherId: number) => {
    const { userId } = actor;
    delivery.invalidateUsers([userId, otherId]);
    delivery.toOwnOthers(actor, changesFrame(userId, CHANGED_PEOPLE), "changes");
  };

  return {
    async addToBlacklist({ actor, query, now }) {
      const { userId } = query;
      if (userId === actor.userId) throw new ApiError("blacklist.self");
      await store.write(async (tx) => {
        // The list names whom I have blocked, so it takes nobody whom I may not know of. A repeated call finds the block.
        await findKnown(tx, actor.userId, userId, now);
        await tx.block(actor.userId, userId, now);
      });
      notifyOwnDevices(actor, userId);
      await parted(actor.userId, userId);
      return null;
    },

    async removeFromBlacklist({ actor, query }) {
      await store.write((tx) => tx.unblock(actor.userId, query.userId));
      notifyOwnDevices(actor, query.userId);
      return null;
    },

    async listBlacklist({ actor }) {
      const users = await store.findUsers(await store.listBlocked(actor.userId));
      // A block hides presence.
      return Array.from(users.values(), (user) => publicInfo(user, false));
    },
  };
}
