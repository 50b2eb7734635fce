/** Who hears what about a friend request. */
import { Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { FriendGained, FriendRequestVO } from "@parley/protocol/entities";
import type { Signal } from "@parley/protocol/message";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Actor } from "../../ports/call.ts";
import type { Language } from "../../ports/language.ts";
import type { Presence } from "../../ports/presence.ts";
import type { PrivateRow, Store, SystemRow } from "../../ports/store.ts";
import { privateMessage, systemMessage } from "../../rules/messages.ts";
import { show } from "./friends.ts";

/** A request after it was made or handled, with what was stored beside it. */
export interface Outcome {
  vo: FriendRequestVO;
  /** The message in the receiver's system chat; none when they became friends without asking. */
  system: SystemRow | undefined;
  /** "You are friends now"; undefined unless they are. */
  tip: PrivateRow | undefined;
}

export interface TellingDeps {
  store: Store;
  presence: Presence;
  delivery: Delivery;
  defaultLanguage: Language;
}

export interface Telling {
  /** A new request: 70 and the system message to the receiver. */
  asked(outcome: Outcome): Promise<void>;
  /** 80 and the tip to both, 71 to the applicant and the receiver's other clients. */
  nowFriends(actor: Actor, outcome: Outcome): Promise<void>;
  /** Rejected or taken back: to the other side and the actor's other clients. */
  closed(
    actor: Actor,
    outcome: Outcome,
    type: typeof MessageType.FRIEND_REQ_REJECT | typeof MessageType.FRIEND_REQ_RECALL,
  ): Promise<void>;
}

export function createTelling({ store, presence, delivery, defaultLanguage }: TellingDeps): Telling {
  /** The system message as it stands, so that a prompt closes on every client of the receiver. */
  const showSystem = async ({ system }: Outcome): Promise<void> => {
    if (system === undefined) return;
    const position = await store.systemReadPosition(system.userId);
    delivery.toUsers([system.userId], frameOf(Cmd.SYSTEM, systemMessage(system, position)));
  };

  const gained = async (
    reader: number,
    friendId: number,
    vo: FriendRequestVO,
  ): Promise<FriendGained | undefined> => {
    const notes = await store.findFriend(reader, friendId);
    if (notes === undefined) return undefined;
    return {
      ...(await show(store, presence, notes)),
      requestId: vo.id,
      status: vo.status,
      remark: vo.remark,
      applyTime: vo.applyTime,
    };
  };

  return {
    async asked(outcome) {
      const { vo } = outcome;
      delivery.toUsers([vo.recvId], frameOf(Cmd.PRIVATE, signal(MessageType.FRIEND_REQ_APPLY, vo, vo)));
      await showSystem(outcome);
    },

    async nowFriends(actor, outcome) {
      const { vo, tip } = outcome;
      delivery.changed([vo.sendId, vo.recvId]);
      const [ofSender, ofReceiver] = await Promise.all([
        gained(vo.sendId, vo.recvId, vo),
        gained(vo.recvId, vo.sendId, vo),
      ]);
      if (ofSender && ofReceiver) {
        const approved = MessageType.FRIEND_REQ_APPROVE;
        delivery.toUsers([vo.sendId], frameOf(Cmd.PRIVATE, signal(approved, vo, ofSender)));
        delivery.toOthersOf(actor, [vo.recvId], frameOf(Cmd.PRIVATE, signal(approved, vo, ofReceiver)));
        delivery.toUsers([vo.sendId], frameOf(Cmd.PRIVATE, friendNew(ofSender, vo.sendId)));
        delivery.toUsers([vo.recvId], frameOf(Cmd.PRIVATE, friendNew(ofReceiver, vo.recvId)));
      }
      await showSystem(outcome);
      if (tip === undefined) return;
      delivery.toUsers(
        [vo.sendId, vo.recvId],
        frameOf(Cmd.PRIVATE, privateMessage(tip, MessageStatus.SENDED, defaultLanguage)),
      );
    },

    async closed(actor, outcome, type) {
      const { vo } = outcome;
      delivery.toOthersOf(actor, [vo.sendId, vo.recvId], frameOf(Cmd.PRIVATE, signal(type, vo, vo)));
      await showSystem(outcome);
    },
  };
}

/** `sendId` and `recvId` are the request's: who asked, and who was asked. */
function signal(type: Signal["type"], request: FriendRequestVO, content: object): Signal {
  return { type, sendId: request.sendId, recvId: request.recvId, content: JSON.stringify(content) };
}

function friendNew(friend: FriendGained, reader: number): Signal {
  const { requestId: _id, status: _status, remark: _remark, applyTime: _time, ...vo } = friend;
  return { type: MessageType.FRIEND_NEW, sendId: vo.id, recvId: reader, content: JSON.stringify(vo) };
}
