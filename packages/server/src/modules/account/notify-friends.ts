/** Pushes a changed person to the friends who are online. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { PrivateSignal } from "@parley/protocol/signal";
import { isFriend } from "../../access/people.ts";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import type { Presence } from "../../ports/presence.ts";
import type { UserRow } from "../../ports/account-store.ts";
import { findVisiblePresence } from "../../presenters/visible-presence.ts";
import { friendVO } from "../../presenters/person-presenter.ts";
import type { AccountsStore } from "./accounts-store.ts";

export interface NotifyFriendsDeps {
  store: AccountsStore;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers">;
}

/** Sends each friend a separate frame, because each sees the person under their own remark. */
export async function notifyFriends(
  { store, presence, delivery }: NotifyFriendsDeps,
  person: UserRow,
): Promise<void> {
  const online = await presence.online(await store.listFriendIdsOf(person.id));
  await Promise.all(
    [...online.keys()].map(async (ownerId) => {
      const friendRow = await store.findFriend(ownerId, person.id);
      if (!isFriend(friendRow)) return;
      const visible = await findVisiblePresence(store, presence, ownerId, [person.id]);
      const signal: PrivateSignal = {
        type: MessageType.FRIEND_NEW,
        sendId: person.id,
        recvId: ownerId,
        content: JSON.stringify(friendVO(friendRow, person, visible.get(person.id) ?? [])),
      };
      delivery.toUsers([ownerId], frameOf(Cmd.PRIVATE, signal));
    }),
  );
}
