import { Cmd } from "@parley/protocol/codes";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import { levelAfter } from "../../ports/alert-level.ts";
import type { Presence } from "../../ports/presence.ts";
import type { ContactsStore } from "./contacts-store.ts";
import { friendSignal, viewFriend } from "./friends.ts";

interface EndFriendLevelsDeps {
  store: ContactsStore;
  presence: Presence;
  delivery: Delivery;
}

/** How many levels one look ends. The next one takes the rest. */
const LEVELS_MAX = 100;

/** Lets the level before follow each alert level of a friend's chat whose end has come, and tells all devices of its owner. */
export function createEndFriendLevels({ store, presence, delivery }: EndFriendLevelsDeps) {
  return async (now: number): Promise<void> => {
    for (const { ownerId, friendId } of await store.listEndedFriendLevels(now, LEVELS_MAX)) {
      const row = await store.write(async (tx) => {
        const before = await tx.findFriend(ownerId, friendId);
        // The person may have set another one since.
        const after = before === undefined ? null : levelAfter(before, now);
        if (before === undefined || after === null) return undefined;
        await tx.updateFriend(ownerId, friendId, after);
        return { ...before, ...after };
      });
      if (row === undefined || row.isDeleted) continue;
      const signal = friendSignal(await viewFriend(store, presence, row), ownerId);
      delivery.toUsers([ownerId], frameOf(Cmd.PRIVATE, signal));
    }
  };
}
