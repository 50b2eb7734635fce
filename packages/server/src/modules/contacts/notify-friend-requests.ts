/** Who hears what about a friend request. */
import { Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { FriendGained, FriendRequestVO } from "@parley/protocol/entities";
import type { PrivateSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Actor } from "../../ports/call.ts";
import type { Language } from "../../ports/language.ts";
import type { Presence } from "../../ports/presence.ts";
import type { PrivateRow, Store, SystemRow } from "../../ports/store.ts";
import { privateMessage, systemMessage } from "../../presenters/message-presenter.ts";
import { viewFriend } from "./friends.ts";

/** A request after it was made or handled, with what was stored beside it. */
export interface FriendRequestOutcome {
  vo: FriendRequestVO;
  /** The message in the receiver's system chat; none when they became friends without asking. */
  system: SystemRow | undefined;
  /** "You are friends now"; undefined unless they are. */
  tip: PrivateRow | undefined;
}

export interface NotifyFriendRequestsDeps {
  store: Store;
  presence: Presence;
  delivery: Delivery;
  defaultLanguage: Language;
}

export interface NotifyFriendRequests {
  /** A new request: 70 and the system message to the receiver. */
  requestSent(outcome: FriendRequestOutcome): Promise<void>;
  /** 80 and the tip to both, 71 to the applicant and the receiver's other clients. */
  requestApproved(actor: Actor, outcome: FriendRequestOutcome): Promise<void>;
  /** Rejected or taken back: to the other side and the actor's other clients. */
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
  /** The system message as it stands, so that a prompt closes on every client of the receiver. */
  const publishSystemMessage = async ({ system }: FriendRequestOutcome): Promise<void> => {
    if (system === undefined) return;
    const position = await store.systemReadPosition(system.userId);
    delivery.toUsers([system.userId], frameOf(Cmd.SYSTEM, systemMessage(system, position)));
  };

  const friendGainedFor = async (
    reader: number,
    friendId: number,
    vo: FriendRequestVO,
  ): Promise<FriendGained | undefined> => {
    const notes = await store.findFriend(reader, friendId);
    if (notes === undefined) return undefined;
    return {
      ...(await viewFriend(store, presence, notes)),
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
      await publishSystemMessage(outcome);
    },

    async requestApproved(actor, outcome) {
      const { vo, tip } = outcome;
      delivery.invalidateUsers([vo.sendId, vo.recvId]);
      const [ofSender, ofReceiver] = await Promise.all([
        friendGainedFor(vo.sendId, vo.recvId, vo),
        friendGainedFor(vo.recvId, vo.sendId, vo),
      ]);
      if (ofSender && ofReceiver) {
        const approved = MessageType.FRIEND_REQ_APPROVE;
        delivery.toUsers([vo.sendId], frameOf(Cmd.PRIVATE, requestSignal(approved, vo, ofSender)));
        delivery.toOthersOf(
          actor,
          [vo.recvId],
          frameOf(Cmd.PRIVATE, requestSignal(approved, vo, ofReceiver)),
        );
        delivery.toUsers([vo.sendId], frameOf(Cmd.PRIVATE, friendNewSignal(ofSender, vo.sendId)));
        delivery.toUsers([vo.recvId], frameOf(Cmd.PRIVATE, friendNewSignal(ofReceiver, vo.recvId)));
      }
      await publishSystemMessage(outcome);
      if (tip === undefined) return;
      delivery.toUsers(
        [vo.sendId, vo.recvId],
        frameOf(Cmd.PRIVATE, privateMessage(tip, MessageStatus.SENDED, defaultLanguage)),
      );
    },

    async requestClosed(actor, outcome, type) {
      const { vo } = outcome;
      delivery.toOthersOf(actor, [vo.sendId, vo.recvId], frameOf(Cmd.PRIVATE, requestSignal(type, vo, vo)));
      await publishSystemMessage(outcome);
    },
  };
}

type RequestSignalType =
  | typeof MessageType.FRIEND_REQ_APPLY
  | typeof MessageType.FRIEND_REQ_APPROVE
  | typeof MessageType.FRIEND_REQ_REJECT
  | typeof MessageType.FRIEND_REQ_RECALL;

/** `sendId` and `recvId` are the request's: who asked, and who was asked. */
function requestSignal(type: RequestSignalType, request: FriendRequestVO, content: object): PrivateSignal {
  return { type, sendId: request.sendId, recvId: request.recvId, content: JSON.stringify(content) };
}

function friendNewSignal(friend: FriendGained, reader: number): PrivateSignal {
  const { requestId: _id, status: _status, remark: _remark, applyTime: _time, ...vo } = friend;
  return { type: MessageType.FRIEND_NEW, sendId: vo.id, recvId: reader, content: JSON.stringify(vo) };
}
