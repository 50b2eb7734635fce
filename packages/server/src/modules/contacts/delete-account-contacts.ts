/** A person goes for good: friendships end on both sides, open requests are closed. */
import { Cmd, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { PrivateSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { RequestRow, Store, Tx } from "../../ports/store.ts";
import { systemMessage } from "../../presenters/message-presenter.ts";
import { friendDeletedSignal } from "./friends.ts";
import { closeFriendRequest } from "./friend-requests.ts";
import type { FriendRequestOutcome } from "./notify-friend-requests.ts";

export interface DeleteAccountContacts {
  /** Inside the write that closes the account. Answers what tells the others, to be called after the commit. */
  deleteContacts(tx: Tx, userId: number): Promise<() => Promise<void>>;
}

export function createDeleteAccountContacts({
  store,
  delivery,
}: {
  store: Store;
  delivery: Pick<Delivery, "toUsers" | "invalidateUsers">;
}): DeleteAccountContacts {
  const notifyRequestClosed = async (userId: number, { vo, system }: FriendRequestOutcome): Promise<void> => {
    const isMine = vo.sendId === userId;
    const type = isMine ? MessageType.FRIEND_REQ_RECALL : MessageType.FRIEND_REQ_REJECT;
    const signal: PrivateSignal = { type, sendId: vo.sendId, recvId: vo.recvId, content: JSON.stringify(vo) };
    delivery.toUsers([isMine ? vo.recvId : vo.sendId], frameOf(Cmd.PRIVATE, signal));
    if (system === undefined || !isMine) return;
    const position = await store.systemReadPosition(system.userId);
    delivery.toUsers([system.userId], frameOf(Cmd.SYSTEM, systemMessage(system, position)));
  };

  return {
    async deleteContacts(tx, userId) {
      const friendIds = await tx.listFriendIdsOf(userId);
      for (const keeper of friendIds) await tx.updateFriend(keeper, userId, { isDeleted: true });
      for (const { friendId, isDeleted } of await tx.listFriends(userId)) {
        if (!isDeleted) await tx.updateFriend(userId, friendId, { isDeleted: true });
      }
      const outcomes: FriendRequestOutcome[] = [];
      for (const request of await tx.listPendingRequests(userId)) {
        outcomes.push(await closeFriendRequest(tx, request, closedStatusOf(request, userId)));
      }
      return async () => {
        delivery.invalidateUsers([userId, ...friendIds]);
        for (const keeper of friendIds) {
          delivery.toUsers([keeper], frameOf(Cmd.PRIVATE, friendDeletedSignal(userId, keeper)));
        }
        for (const outcome of outcomes) await notifyRequestClosed(userId, outcome);
      };
    },
  };
}

function closedStatusOf(request: RequestRow, userId: number): number {
  return request.sendId === userId ? RequestStatus.RECALLED : RequestStatus.REJECTED;
}
