/** The pushes about friend requests. */
import { Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { FriendGained, FriendRequestVO } from "@parley/protocol/entities";
import type { PrivateSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import type { Actor } from "../../api/api-call.ts";
import type { Language } from "../../api/language.ts";
import type { SystemRow } from "../../ports/system-message-store.ts";
import type { Presence } from "../../ports/presence.ts";
import { privateMessage, systemMessage } from "../../presenters/message-presenter.ts";
import type { ContactsStore } from "./contacts-store.ts";
import { viewFriend } from "./friends.ts";
import type { FriendRequestOutcome } from "./friendship.ts";

export interface NotifyFriendRequestsDeps {
  store: ContactsStore;
  presence: Presence;
  delivery: Delivery;
  defaultLanguage: Language;
}

/** Sends the pushes about friend requests. Call these functions after the commit. */
export interface NotifyFriendRequests {
  /** A new request: sends push 70 and the system message to the receiver. */
  requestSent(outcome: FriendRequestOutcome): Promise<void>;
  /** Sends push 80 and the tip to both, and push 71 to the applicant and the receiver's other clients. */
  requestApproved(actor: Actor, outcome: FriendRequestOutcome): Promise<void>;
  /** Rejected or recalled: sends the push to the other person and the actor's other clients. */
  requestClosed(
    actor: Actor,
    outcome: FriendRequestOutcome,
    type: typeof MessageType.FRIEND_REQ_REJECT | typeof MessageType.FRIEND_REQ_RECALL,
  ): Promise<void>;
}

export function createNotifyFriendRequests({
  store,
  presence,
  delivery,
  defaultLanguage,
}: NotifyFriendRequestsDeps): NotifyFriendRequests {
  const friendGainedFor = async (
    readerId: number,
    friendId: number,
    vo: FriendRequestVO,
  ): Promise<FriendGained | undefined> => {
    const row = await store.findFriend(readerId, friendId);
    if (row === undefined) return undefined;
    return {
      ...(await viewFriend(store, presence, row)),
      requestId: vo.id,
      status: vo.status,
      remark: vo.remark,
      applyTime: vo.applyTime,
    };
  };

  return {
    async requestSent(outcome) {
      const { vo } = outcome;
      delivery.toUsers(
        [vo.recvId],
        frameOf(Cmd.PRIVATE, requestSignal(MessageType.FRIEND_REQ_APPLY, vo, vo)),
      );
      await publishSystemMessage(store, delivery, outcome.systemRow);
    },

    async requestApproved(actor, outcome) {
      const { vo, tip } = outcome;
      delivery.invalidateUsers([vo.sendId, vo.recvId]);
      const [gainedBySender, gainedByReceiver] = await Promise.all([
        friendGainedFor(vo.sendId, vo.recvId, vo),
        friendGainedFor(vo.recvId, vo.sendId, vo),
      ]);
      if (gainedBySender && gainedByReceiver) {
        const approved = MessageType.FRIEND_REQ_APPROVE;
        delivery.toUsers([vo.sendId], frameOf(Cmd.PRIVATE, requestSignal(approved, vo, gainedBySender)));
        delivery.toOthersOf(
          actor,
          [vo.recvId],
          frameOf(Cmd.PRIVATE, requestSignal(approved, vo, gainedByReceiver)),
        );
        delivery.toUsers([vo.sendId], frameOf(Cmd.PRIVATE, friendNewSignal(gainedBySender, vo.sendId)));
        delivery.toUsers([vo.recvId], frameOf(Cmd.PRIVATE, friendNewSignal(gainedByReceiver, vo.recvId)));
      }
      await publishSystemMessage(store, delivery, outcome.systemRow);
      if (tip === undefined) return;
      delivery.toUsers(
        [vo.sendId, vo.recvId],
        frameOf(Cmd.PRIVATE, privateMessage(tip, MessageStatus.SENDED, defaultLanguage)),
      );
    },

    async requestClosed(actor, outcome, type) {
      const { vo } = outcome;
      delivery.toOthersOf(actor, [vo.sendId, vo.recvId], frameOf(Cmd.PRIVATE, requestSignal(type, vo, vo)));
      await publishSystemMessage(store, delivery, outcome.systemRow);
    },
  };
}

/** Pushes the system message in its current state, so that the prompt closes on every client of the receiver. */
export async function publishSystemMessage(
  store: Pick<ContactsStore, "systemReadPosition">,
  delivery: Pick<Delivery, "toUsers" | "webPush">,
  systemRow: SystemRow | undefined,
): Promise<void> {
  if (systemRow === undefined) return;
  const position = await store.systemReadPosition(systemRow.userId);
  const message = systemMessage(systemRow, position);
  delivery.toUsers([systemRow.userId], frameOf(Cmd.SYSTEM, message));
  delivery.webPush.systemMessageStored(systemRow.userId, message);
}

type RequestSignalType =
  | typeof MessageType.FRIEND_REQ_APPLY
  | typeof MessageType.FRIEND_REQ_APPROVE
  | typeof MessageType.FRIEND_REQ_REJECT
  | typeof MessageType.FRIEND_REQ_RECALL;

/** The push about a request. `sendId` and `recvId` are those of the request: the applicant and the receiver. */
export function requestSignal(
  type: RequestSignalType,
  request: FriendRequestVO,
  content: object,
): PrivateSignal {
  return { type, sendId: request.sendId, recvId: request.recvId, content: JSON.stringify(content) };
}

function friendNewSignal(friend: FriendGained, readerId: number): PrivateSignal {
  const { requestId: _id, status: _status, remark: _remark, applyTime: _time, ...vo } = friend;
  return { type: MessageType.FRIEND_NEW, sendId: vo.id, recvId: readerId, content: JSON.stringify(vo) };
}
