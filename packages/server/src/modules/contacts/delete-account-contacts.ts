/** What the deletion of an account does to contacts: friendships end on both sides, open requests are closed. */
import { Cmd, MessageType, RequestStatus } from "@parley/protocol/codes";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import type { RequestRow } from "../../ports/contact-store.ts";
import type { ContactsStore, ContactsTx } from "./contacts-store.ts";
import { friendDeletedSignal } from "./friends.ts";
import { type FriendRequestOutcome, closeFriendRequest } from "./friendship.ts";
import { publishSystemMessage, requestSignal } from "./notify-friend-requests.ts";

/** Ends the contacts of an account that is closed. */
export interface DeleteAccountContacts {
  /** Call this inside the write that closes the account. Returns a function that notifies the others after the commit. */
  deleteContacts(tx: ContactsTx, userId: number): Promise<() => Promise<void>>;
}

export function createDeleteAccountContacts({
  store,
  delivery,
}: {
  store: ContactsStore;
  delivery: Pick<Delivery, "toUsers" | "invalidateUsers" | "webPush">;
}): DeleteAccountContacts {
  const notifyRequestClosed = async (
    userId: number,
    { vo, systemRow }: FriendRequestOutcome,
  ): Promise<void> => {
    const isMine = vo.sendId === userId;
    const type = isMine ? MessageType.FRIEND_REQ_RECALL : MessageType.FRIEND_REQ_REJECT;
    delivery.toUsers([isMine ? vo.recvId : vo.sendId], frameOf(Cmd.PRIVATE, requestSignal(type, vo, vo)));
    if (isMine) await publishSystemMessage(store, delivery, systemRow);
  };

  return {
    async deleteContacts(tx, userId) {
      const friendIds = await tx.listFriendIdsOf(userId);
      for (const friendId of friendIds) await tx.updateFriend(friendId, userId, { isDeleted: true });
      for (const { friendId, isDeleted } of await tx.listFriends(userId)) {
        if (!isDeleted) await tx.updateFriend(userId, friendId, { isDeleted: true });
      }
      const outcomes: FriendRequestOutcome[] = [];
      for (const request of await tx.listPendingRequests(userId)) {
        outcomes.push(await closeFriendRequest(tx, request, closedStatusOf(request, userId)));
      }
      return async () => {
        delivery.invalidateUsers([userId, ...friendIds]);
        for (const friendId of friendIds) {
          delivery.toUsers([friendId], frameOf(Cmd.PRIVATE, friendDeletedSignal(userId, friendId)));
        }
        for (const outcome of outcomes) await notifyRequestClosed(userId, outcome);
      };
    },
  };
}

function closedStatusOf(request: RequestRow, userId: number): number {
  return request.sendId === userId ? RequestStatus.RECALLED : RequestStatus.REJECTED;
}
