/** A person as each friend sees it, told to the friends who are online. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { PrivateSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Store, UserRow } from "../../ports/store.ts";
import { findVisiblePresence } from "../../presenters/visible-presence.ts";
import { friendVO } from "../../presenters/person-presenter.ts";

export interface NotifyFriendsDeps {
  store: Store;
  presence: Presence;
  delivery: Pick<Delivery, "toUsers">;
}

/** Each friend sees a person under an own remark, so each gets an own frame. */
export async function notifyFriends(
  { store, presence, delivery }: NotifyFriendsDeps,
  person: UserRow,
): Promise<void> {
  const online = await presence.online(await store.listFriendIdsOf(person.id));
  await Promise.all(
    [...online.keys()].map(async (ownerId) => {
      const notes = await store.findFriend(ownerId, person.id);
      if (notes === undefined || notes.isDeleted) return;
      const seen = await findVisiblePresence(store, presence, ownerId, [person.id]);
      const signal: PrivateSignal = {
        type: MessageType.FRIEND_NEW,
        sendId: person.id,
        recvId: ownerId,
        content: JSON.stringify(friendVO(notes, person, seen.get(person.id) ?? [])),
      };
      delivery.toUsers([ownerId], frameOf(Cmd.PRIVATE, signal));
    }),
  );
}
