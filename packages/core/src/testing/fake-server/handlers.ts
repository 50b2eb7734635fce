import { ChatType, Cmd, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { BodyOf, ParamsOf, QueryOf } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import { noChanges } from "@parley/protocol/endpoints/changes";
import type { FriendRequestVO } from "@parley/protocol/entities";
import type { PrivateMessage } from "@parley/protocol/message";
import type { FilePart } from "../../ports.ts";
import { historyPage } from "../answer-history.ts";
import { createMessageHandlers } from "./message-handlers.ts";
import { createSavedMessageHandlers } from "./saved-message-handlers.ts";
import type { Fault } from "./faults.ts";
import { createGroupMessageHandlers } from "./group-message-handlers.ts";
import { groupChanges } from "./group-view.ts";
import { createGroupHandlers } from "./group-handlers.ts";
import { ApiError } from "./api-error.ts";
import type { Actor, FakeGateway } from "./fake-gateway.ts";
import {
  appendMessage,
  appendSystem,
  areFriends,
  CHANGE_FIELDS,
  clearedUpTo,
  type FriendRow,
  friendRowOf,
  friendVOFor,
  isInChat,
  isVisibleTo,
  makeFriends,
  pendingRequest,
  readPositionOf,
  advancePosition,
  privateMessageFor,
  systemMessageFor,
  type Tables,
  userInfoFor,
  userOf,
} from "./tables.ts";

/** A validated call of an endpoint. */
export interface Call<Name extends EndpointName> {
  actor: Actor;
  params: ParamsOf<(typeof ENDPOINTS)[Name]>;
  query: QueryOf<(typeof ENDPOINTS)[Name]>;
  body: BodyOf<(typeof ENDPOINTS)[Name]>;
  /** The files of an upload. */
  files: readonly FilePart[];
}

/** The handlers by endpoint. */
export type Handlers = { [Name in EndpointName]?: (call: Call<Name>) => unknown };

/** What handlers need. */
export interface HandlerDeps {
  tables: Tables;
  gateway: FakeGateway;
  hasFault(fault: Fault): boolean;
  /** Starts to push rows to the acting client. */
  pull(actor: Actor, kind: "PRIVATE" | "GROUP" | "SYSTEM", after: number): void;
}

const CONFIG = {
  webrtc: { maxChannel: 9, heldOffer: true, iceServers: [] },
  message: { recallSeconds: 300, editSeconds: 3_600 },
  upload: { imageMax: 1, fileMax: 1 },
};

/** Added to an id to get one beyond all ids of a scenario. */
const UNUSED_ID_OFFSET = 1_000_000;

/** Creates all handlers except those of sessions. */
export function createHandlers(deps: HandlerDeps): Handlers {
  const { tables, gateway, hasFault, pull } = deps;
  const messageHandlers = createMessageHandlers(deps);
  const groups = { ...createGroupHandlers(deps), ...createGroupMessageHandlers(deps) };
  let uploadCount = 0;
  const push = (cmd: number, data: object) => ({ cmd, data });

  function friendAsSeenBy(ownerId: number, friendId: number): object {
    const row = friendRowOf(tables, ownerId, friendId);
    if (row === undefined) throw new ApiError("friend.notFriend");
    return friendVOFor(tables, row, gateway.isOnline(friendId));
  }

  function signal(type: number, sendId: number, recvId: number, content: object | string): object {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return push(Cmd.PRIVATE, { type, sendId, recvId, content: text });
  }

  /** Makes two users friends, stores the tip, and sends all pushes about it. */
  function becomeFriends(actor: Actor, request: FriendRequestVO): void {
    const { sendId, recvId } = request;
    makeFriends(tables, sendId, recvId);
    makeFriends(tables, recvId, sendId);
    const tip = appendMessage(tables, {
      sendId: recvId,
      recvId: sendId,
      type: MessageType.TIP_TEXT,
      content: "friends now",
      tmpId: null,
      tipKey: "friend.nowFriends",
    });
    const newFriendContent = (owner: number, friend: number) => ({
      ...friendAsSeenBy(owner, friend),
      requestId: request.id,
      status: request.status,
      remark: request.remark,
      applyTime: request.applyTime,
    });
    const approvedType = MessageType.FRIEND_REQ_APPROVE;
    gateway.toUser(sendId, signal(approvedType, sendId, recvId, newFriendContent(sendId, recvId)));
    gateway.toOthersOf(actor, recvId, signal(approvedType, sendId, recvId, newFriendContent(recvId, sendId)));
    gateway.toUser(sendId, signal(MessageType.FRIEND_NEW, recvId, sendId, friendAsSeenBy(sendId, recvId)));
    gateway.toUser(recvId, signal(MessageType.FRIEND_NEW, sendId, recvId, friendAsSeenBy(recvId, sendId)));
    for (const userId of [sendId, recvId]) {
      gateway.toUser(userId, push(Cmd.PRIVATE, privateMessageFor(tables, tip, userId)));
    }
  }

  function answerRequest(
    actor: Actor,
    id: number,
    side: "sendId" | "recvId",
    status: RequestStatus,
  ): FriendRequestVO {
    const request = tables.requests.find((row) => row.id === id);
    if (request === undefined || request[side] !== actor.userId) throw new ApiError("friend.requestNotYours");
    if (request.status !== RequestStatus.PENDING) throw new ApiError("friend.requestHandled");
    return closeRequest(request, status);
  }

  /** Sets the final status of a request, also in the system message about it. */
  function closeRequest(request: FriendRequestVO, status: RequestStatus): FriendRequestVO {
    request.status = status;
    const row = tables.system.find(({ requestId }) => requestId === request.id);
    if (row !== undefined) {
      row.message = { ...row.message, content: JSON.stringify(request) };
      row.changedAt = ++tables.changeNumber;
      gateway.toUser(request.recvId, push(Cmd.SYSTEM, systemMessageFor(tables, row)));
    }
    return request;
  }

  function sendMessage({ actor, body }: Call<"sendPrivateMessage">): PrivateMessage {
    const { userId } = actor;
    const stored = tables.messages.find(
      (row) => row.sendId === userId && row.tmpId === body.tmpId && typeof body.tmpId === "string",
    );
    if (stored !== undefined && !hasFault("forgetsTmpId")) return privateMessageFor(tables, stored, userId);
    if (body.recvId !== userId && !areFriends(tables, userId, body.recvId))
      throw new ApiError("message.notFriend");
    const { recvId, type, content, quoteMessageId = null } = body;
    if (type === MessageType.EDIT)
      return messageHandlers.edit(actor, content, quoteMessageId, body.tmpId ?? null);
    const quoted = tables.messages.find((message) => message.id === quoteMessageId);
    const isQuotable =
      quoted !== undefined && isInChat(quoted, userId, recvId) && isVisibleTo(tables, quoted, userId);
    if (quoteMessageId !== null && !isQuotable) throw new ApiError("message.quoteUnknown");
    const row = appendMessage(tables, { sendId: userId, recvId, type, content, tmpId: body.tmpId ?? null });
    if (quoteMessageId !== null) tables.quotes.set(row.id, quoteMessageId);
    if (recvId !== userId) gateway.toUser(recvId, push(Cmd.PRIVATE, privateMessageFor(tables, row, recvId)));
    if (!hasFault("ownClientsNotPushed"))
      gateway.toOwnOthers(actor, push(Cmd.PRIVATE, privateMessageFor(tables, row, userId)));
    if (hasFault("echoesToSender")) {
      const duplicate = {
        ...privateMessageFor(tables, row, userId),
        id: row.id + UNUSED_ID_OFFSET,
        tmpId: null,
      };
      gateway.toUser(userId, push(Cmd.PRIVATE, duplicate));
    }
    const answer = privateMessageFor(tables, row, userId);
    if (hasFault("losesAcknowledged") && row.id % 7 === 0)
      tables.messages.splice(tables.messages.indexOf(row), 1);
    return answer;
  }

  function readPrivate({ actor, query }: Call<"readPrivateMessages">): null {
    const { friendId } = query;
    const newest = tables.messages.findLast((row) => isInChat(row, actor.userId, friendId))?.id ?? 0;
    const maxId = Math.min(query.messageId ?? newest, newest);
    if (maxId <= 0 || !advancePosition(tables, actor.userId, friendId, maxId)) return null;
    const read = { type: MessageType.READED, sendId: actor.userId, recvId: friendId, maxId };
    if (!hasFault("noReadPush")) {
      gateway.toOwnOthers(actor, push(Cmd.PRIVATE, read));
      gateway.pushChangesSignal(actor, actor.userId);
    }
    const content = JSON.stringify({ id: maxId });
    const receiptId = hasFault("receiptTooFar") ? maxId + 1 : maxId;
    const receipt = {
      type: MessageType.RECEIPT,
      sendId: actor.userId,
      recvId: friendId,
      maxId: receiptId,
      content,
    };
    if (!hasFault("noReceipt") && friendId !== actor.userId)
      gateway.toUser(friendId, push(Cmd.PRIVATE, receipt));
    return null;
  }

  function apply({ actor, body }: Call<"applyFriend">): FriendRequestVO {
    const me = actor.userId;
    const other = body.friendId;
    if (other === me) throw new ApiError("friend.self");
    if (friendRowOf(tables, me, other)?.isDeleted === false) throw new ApiError("friend.already");
    if (pendingRequest(tables, me, other)) throw new ApiError("friend.requestPending");
    const theirs = pendingRequest(tables, other, me);
    if (theirs !== undefined) {
      becomeFriends(actor, closeRequest(theirs, RequestStatus.APPROVED));
      return theirs;
    }
    const isManual = userOf(tables, other).isManualApprove;
    const request: FriendRequestVO = {
      id: tables.requests.length + 1,
      sendId: me,
      sendNickName: userOf(tables, me).nickName,
      sendHeadImage: null,
      recvId: other,
      recvNickName: userOf(tables, other).nickName,
      recvHeadImage: null,
      remark: body.remark ?? "",
      status: isManual ? RequestStatus.PENDING : RequestStatus.APPROVED,
      applyTime: tables.now(),
    };
    tables.requests.push(request);
    if (!isManual) {
      becomeFriends(actor, request);
      return request;
    }
    const system = appendSystem(tables, other, request);
    const requestFrame = signal(MessageType.FRIEND_REQ_APPLY, me, other, request);
    gateway.toUser(other, requestFrame);
    gateway.toOwnOthers(actor, requestFrame);
    gateway.toUser(other, push(Cmd.SYSTEM, systemMessageFor(tables, system)));
    return request;
  }

  function endRequest(
    actor: Actor,
    id: number,
    side: "sendId" | "recvId",
    status: RequestStatus,
    type: number,
  ): null {
    const request = answerRequest(actor, id, side, status);
    const frame = signal(type, request.sendId, request.recvId, request);
    gateway.toOthersOf(actor, request.sendId, frame);
    gateway.toOthersOf(actor, request.recvId, frame);
    return null;
  }

  function setFriend(actor: Actor, friendId: number, part: Partial<FriendRow>): null {
    const row = friendRowOf(tables, actor.userId, friendId);
    if (row === undefined || (row.isDeleted && part.isTop !== false)) throw new ApiError("friend.notFriend");
    Object.assign(row, part);
    const friendFrame = signal(
      MessageType.FRIEND_NEW,
      friendId,
      actor.userId,
      friendAsSeenBy(actor.userId, friendId),
    );
    gateway.toOwnOthers(actor, friendFrame);
    return null;
  }

  return {
    self: ({ actor }) => userInfoFor(tables, actor.userId, true),
    loadSystemConfig: () => CONFIG,
    findOnlineTerminals: ({ query }) =>
      query.userIds
        .filter((userId) => gateway.isOnline(userId))
        .map((userId) => ({ userId, terminals: [2] })),
    loadChanges({ actor, query }) {
      const since = Number(query.since ?? "0");
      const nothing = noChanges(String(tables.changeNumber));
      const me = actor.userId;
      if (hasFault("noChanges")) return nothing;
      const ofGroups = groupChanges(tables, me, since);
      const isChanged = (changedAt: number) => changedAt > since;
      const others = new Set<number | null>();
      for (const row of tables.positions) {
        if (!isChanged(row.changedAt)) continue;
        if (row.readerId === me) others.add(row.otherId);
        else if (row.otherId === me) others.add(row.readerId);
      }
      const read = [...others].map((other) => ({
        type: other === null ? "SYSTEM" : "PRIVATE",
        targetId: other ?? 0,
        mine: readPositionOf(tables, me, other),
        theirs: other === null ? -1 : readPositionOf(tables, other, me),
      }));
      const system = tables.system.filter(
        (row) =>
          row.userId === me &&
          isChanged(row.changedAt) &&
          row.message.seqNo > clearedUpTo(tables, me, ChatType.SYSTEM),
      );
      const rows = tables.feed.filter((row) => row.userId === me && isChanged(row.changedAt));
      const changes = {
        ...nothing,
        ...Object.fromEntries(
          CHANGE_FIELDS.map((name) => [
            name,
            rows.filter(({ field }) => field === name).map(({ change }) => change),
          ]),
        ),
        purged: hasFault("moderatorRemovalNotPushed") ? [] : ofGroups.purged,
        receipts: ofGroups.receipts,
        read: [...read, ...ofGroups.read],
        system: system.map((row) => systemMessageFor(tables, row)),
      };
      // The first answer has everything, so that a new device differs from those that an answer without the field has left behind.
      const omitted = since === 0 ? [] : CHANGE_FIELDS.filter((field) => hasFault(`omits ${field}`));
      return { ...changes, ...Object.fromEntries(omitted.map((field) => [field, []])) };
    },
    listFriends: ({ actor }) =>
      tables.friends
        .filter((row) => row.ownerId === actor.userId)
        .map((row) => friendVOFor(tables, row, gateway.isOnline(row.friendId))),
    findFriend: ({ actor, params }) => friendAsSeenBy(actor.userId, params.id),
    listBlacklist: () => [],
    listFriendRequests: ({ actor }) =>
      tables.requests.filter(
        (row) =>
          row.status === RequestStatus.PENDING &&
          (row.sendId === actor.userId || row.recvId === actor.userId),
      ),
    applyFriend: apply,
    approveFriendRequest({ actor, query }) {
      becomeFriends(actor, answerRequest(actor, query.id, "recvId", RequestStatus.APPROVED));
      return null;
    },
    rejectFriendRequest: ({ actor, query }) =>
      endRequest(actor, query.id, "recvId", RequestStatus.REJECTED, MessageType.FRIEND_REQ_REJECT),
    recallFriendRequest: ({ actor, query }) =>
      endRequest(actor, query.id, "sendId", RequestStatus.RECALLED, MessageType.FRIEND_REQ_RECALL),
    deleteFriend({ actor, params }) {
      if (!areFriends(tables, actor.userId, params.id)) throw new ApiError("friend.notFriend");
      for (const [owner, friend] of [
        [actor.userId, params.id],
        [params.id, actor.userId],
      ] as const) {
        const row = friendRowOf(tables, owner, friend);
        if (row !== undefined) row.isDeleted = true;
        gateway.toUser(owner, signal(MessageType.FRIEND_DELETED, friend, owner, ""));
      }
      return null;
    },
    setFriendTop: ({ actor, body }) => setFriend(actor, body.friendId, { isTop: body.isTop }),
    setFriendMsgRemind: ({ actor, body }) =>
      setFriend(actor, body.friendId, { msgRemind: body.msgRemind, msgRemindUntil: body.until ?? null }),
    ...messageHandlers.handlers,
    ...createSavedMessageHandlers(deps),
    ...groups,
    uploadFile: ({ files }) => `/files/${++uploadCount}/${files[0]?.name}`,
    sendPrivateMessage: sendMessage,
    readPrivateMessages: readPrivate,
    readSystemMessages({ actor, query }) {
      const newest = tables.system.filter((row) => row.userId === actor.userId).length;
      const maxId = Math.min(query.maxSeqNo, newest);
      if (maxId <= 0 || !advancePosition(tables, actor.userId, null, maxId)) return null;
      if (!hasFault("noReadPush")) {
        gateway.toOwnOthers(actor, push(Cmd.SYSTEM, { type: MessageType.READED, maxId }));
      }
      return null;
    },
    privateHistory({ actor, query }) {
      const rows = tables.messages.filter(
        (row) => isInChat(row, actor.userId, query.friendId) && isVisibleTo(tables, row, actor.userId),
      );
      return historyPage(rows, query).map((row) => privateMessageFor(tables, row, actor.userId));
    },
    pullPrivateMessages: ({ actor, query }) => pull(actor, "PRIVATE", query.minId),
    pullGroupMessages: ({ actor, query }) => pull(actor, "GROUP", query.minId),
    pullSystemMessages: ({ actor, query }) => pull(actor, "SYSTEM", query.minSeqNo),
  };
}
