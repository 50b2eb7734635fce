/** A person goes for good: friendships end on both sides, open requests are closed. */
import { Cmd, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { Signal } from "@parley/protocol/message";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { RequestRow, Store, Tx } from "../../ports/store.ts";
import { systemMessage } from "../../rules/messages.ts";
import { ended } from "./friends.ts";
import { closeRequest } from "./requests.ts";
import type { Outcome } from "./telling.ts";

export interface Farewell {
  /** Inside the write that closes the account. Answers what tells the others, to be called after the commit. */
  leave(tx: Tx, userId: number): Promise<() => Promise<void>>;
}

export function createFarewell({
  store,
  delivery,
}: {
  store: Store;
  delivery: Pick<Delivery, "toUsers" | "changed">;
}): Farewell {
  const tellRequest = async (userId: number, { vo, system }: Outcome): Promise<void> => {
    const isMine = vo.sendId === userId;
    const type = isMine ? MessageType.FRIEND_REQ_RECALL : MessageType.FRIEND_REQ_REJECT;
    const signal: Signal = { type, sendId: vo.sendId, recvId: vo.recvId, content: JSON.stringify(vo) };
    delivery.toUsers([isMine ? vo.recvId : vo.sendId], frameOf(Cmd.PRIVATE, signal));
    if (system === undefined || !isMine) return;
    const position = await store.systemReadPosition(system.userId);
    delivery.toUsers([system.userId], frameOf(Cmd.SYSTEM, systemMessage(system, position)));
  };

  return {
    async leave(tx, userId) {
      const keepers = await tx.listFriendIdsOf(userId);
      for (const keeper of keepers) await tx.updateFriend(keeper, userId, { isDeleted: true });
      for (const { friendId, isDeleted } of await tx.listFriends(userId)) {
        if (!isDeleted) await tx.updateFriend(userId, friendId, { isDeleted: true });
      }
      const outcomes: Outcome[] = [];
      for (const request of await tx.listPendingRequests(userId)) {
        outcomes.push(await closeRequest(tx, request, lastStatus(request, userId)));
      }
      return async () => {
        delivery.changed([userId, ...keepers]);
        for (const keeper of keepers) {
          delivery.toUsers([keeper], frameOf(Cmd.PRIVATE, ended(userId, keeper)));
        }
        for (const outcome of outcomes) await tellRequest(userId, outcome);
      };
    },
  };
}

function lastStatus(request: RequestRow, userId: number): number {
  return request.sendId === userId ? RequestStatus.RECALLED : RequestStatus.REJECTED;
}
