/** Becoming friends: the writes that applying, approving and closing a request share. */
import { MessageType, RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO } from "@parley/protocol/entities";
import { PENDING_REQUESTS_MAX } from "@parley/protocol/limits";
import { ApiError } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { RequestRow } from "../../ports/contact-store.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { SystemRow } from "../../ports/system-message-store.ts";
import { requestVO } from "../../presenters/person-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { ContactsTx } from "./contacts-store.ts";

/** A request after it was created or handled, with the messages that were stored along with it. */
export interface FriendRequestOutcome {
  vo: FriendRequestVO;
  /** The message in the receiver's system chat; undefined if they became friends without an approval by hand. */
  systemRow: SystemRow | undefined;
  /** The tip "You are friends now"; undefined if they are not. */
  tip: PrivateRow | undefined;
}

/** What the sender adds to a request. */
export interface RequestDetails {
  remark: string;
  source: number | null;
}

/** Stores a request, and the system message about it for the receiver. */
export async function storeFriendRequest(
  tx: ContactsTx,
  sender: UserRow,
  receiver: UserRow,
  details: RequestDetails,
  now: number,
): Promise<FriendRequestOutcome> {
  if ((await tx.countPendingRequests("received", receiver.id)) >= PENDING_REQUESTS_MAX) {
    throw new ApiError("friend.theirRequestsFull");
  }
  if ((await tx.countPendingRequests("sent", sender.id)) >= PENDING_REQUESTS_MAX) {
    throw new ApiError("friend.yourRequestsFull");
  }
  const status = RequestStatus.PENDING;
  const ids = { sendId: sender.id, recvId: receiver.id };
  const request = await tx.insertRequest({ ...ids, ...details, status, applyTime: now });
  const vo = requestVO(request, sender, receiver);
  const systemRow = await tx.appendSystem({
    userId: receiver.id,
    type: MessageType.FRIEND_APPLY,
    content: JSON.stringify(vo),
    sendTime: now,
    requestId: request.id,
  });
  return { vo, systemRow, tip: undefined };
}

/** Approves a request: stores the friendship in both directions, and the tip that opens the chat. `receiver` is the person who agreed. */
export async function approveFriendRequest(
  tx: ContactsTx,
  request: RequestRow,
  receiver: UserRow,
  now: number,
  defaultLanguage: Language,
): Promise<FriendRequestOutcome> {
  const outcome = await closeFriendRequest(tx, request, RequestStatus.APPROVED);
  const { sendId, recvId } = request;
  await tx.upsertFriend(sendId, recvId);
  await tx.upsertFriend(recvId, sendId);
  const { row } = await tx.appendPrivate({
    tmpId: null,
    type: MessageType.TIP_TEXT,
    sendId: recvId,
    recvId: sendId,
    sendNickName: receiver.nickName,
    content: tipSentence("friend.nowFriends", defaultLanguage),
    sendTime: now,
    tip: { key: "friend.nowFriends", params: {} },
  });
  return { ...outcome, tip: row };
}

/** Gives a request its final state, also in the system message about it. */
export async function closeFriendRequest(
  tx: ContactsTx,
  request: RequestRow,
  status: number,
): Promise<FriendRequestOutcome> {
  await tx.setRequestStatus(request.id, status);
  const [sender, receiver] = [await tx.findUser(request.sendId), await tx.findUser(request.recvId)];
  if (sender === undefined || receiver === undefined) throw new ApiError("user.notFound");
  const vo = requestVO({ ...request, status }, sender, receiver);
  const message = await tx.findSystemByRequest(request.id);
  const systemRow = message && (await tx.updateSystem(message.id, JSON.stringify(vo)));
  return { vo, systemRow, tip: undefined };
}
