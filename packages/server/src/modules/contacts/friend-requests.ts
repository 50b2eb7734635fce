/** Friend requests. Checks and writes are one transaction; pushes are sent after its commit. */
import { MessageType, RequestSource, RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO } from "@parley/protocol/entities";
import { PENDING_REQUESTS_MAX } from "@parley/protocol/limits";
import { isFriend, requireOpenAccount } from "../../access/people.ts";
import type { Delivery } from "../../delivery.ts";
import { ApiError, refuseIfLimited } from "../../calls/api-error.ts";
import type { Actor, Handlers } from "../../calls/call.ts";
import type { Language } from "../../calls/language.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { RequestRow } from "../../ports/contact-store.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { Presence } from "../../ports/presence.ts";
import { requestVO } from "../../presenters/person-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { ContactsStore, ContactsTx } from "./contacts-store.ts";
import { type FriendRequestOutcome, createNotifyFriendRequests } from "./notify-friend-requests.ts";

export interface FriendRequestsDeps {
  store: ContactsStore;
  presence: Presence;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  defaultLanguage: Language;
}

type FriendRequestsHandlers = Pick<
  Handlers,
  | "applyFriend"
  | "addFriend"
  | "approveFriendRequest"
  | "rejectFriendRequest"
  | "recallFriendRequest"
  | "listFriendRequests"
>;

export function createFriendRequests(deps: FriendRequestsDeps): FriendRequestsHandlers {
  const { store, rateLimiter, defaultLanguage } = deps;
  const notify = createNotifyFriendRequests(deps);

  const apply = async (
    actor: Actor,
    friendId: number,
    { remark, source }: RequestDetails,
    now: number,
  ): Promise<FriendRequestVO> => {
    const me = actor.userId;
    if (friendId === me) throw new ApiError("friend.self");
    refuseIfLimited(await rateLimiter.consume("friendRequests", me));
    const outcome = await store.write(async (tx) => {
      const [sender, receiver] = [await findPerson(tx, me), await findPerson(tx, friendId)];
      await authorizeRequest(tx, me, friendId);
      const receivedRequest = await tx.findPendingRequest(friendId, me);
      if (receivedRequest !== undefined) return approve(tx, receivedRequest, sender, now);
      const sentRequest = await tx.findPendingRequest(me, friendId);
      if (sentRequest !== undefined) {
        if (receiver.isManualApprove) throw new ApiError("friend.requestPending");
        // The request is older than the receiver's decision to approve everybody.
        return approve(tx, sentRequest, receiver, now);
      }
      if (!receiver.isManualApprove) {
        const status = RequestStatus.APPROVED;
        const request = await tx.insertRequest({
          sendId: me,
          recvId: friendId,
          remark,
          source,
          status,
          applyTime: now,
        });
        const tip = await makeFriends(tx, request, receiver, now);
        return { vo: requestVO(request, sender, receiver), systemRow: undefined, tip };
      }
      return storeRequest(tx, sender, receiver, { remark, source }, now);
    });
    if (outcome.tip === undefined) await notify.requestSent(outcome);
    else await notify.requestApproved(actor, outcome);
    return outcome.vo;
  };

  const storeRequest = async (
    tx: ContactsTx,
    sender: UserRow,
    receiver: UserRow,
    details: RequestDetails,
    now: number,
  ): Promise<FriendRequestOutcome> => {
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
      title: null,
      intro: null,
      coverUrl: null,
      content: JSON.stringify(vo),
      sendTime: now,
      requestId: request.id,
    });
    return { vo, systemRow, tip: undefined };
  };

  /** Approves a request. `receiver` is the person who agreed. */
  const approve = async (
    tx: ContactsTx,
    request: RequestRow,
    receiver: UserRow,
    now: number,
  ): Promise<FriendRequestOutcome> => {
    const outcome = await closeFriendRequest(tx, request, RequestStatus.APPROVED);
    return { ...outcome, tip: await makeFriends(tx, request, receiver, now) };
  };

  /** Stores the friendship in both directions, and the tip that opens the chat. `receiver` is the person who agreed. */
  const makeFriends = async (
    tx: ContactsTx,
    { sendId, recvId }: RequestRow,
    receiver: UserRow,
    now: number,
  ): Promise<PrivateRow> => {
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
    return row;
  };

  /** Runs `work` on a pending request if `actor` is on the given side of it. */
  const handle = async (
    id: number,
    actor: Actor,
    side: "sendId" | "recvId",
    work: (tx: ContactsTx, request: RequestRow) => Promise<FriendRequestOutcome>,
  ): Promise<FriendRequestOutcome> =>
    store.write(async (tx) => {
      const request = await tx.findRequest(id);
      if (request === undefined || request[side] !== actor.userId)
        throw new ApiError("friend.requestNotYours");
      if (request.status !== RequestStatus.PENDING) throw new ApiError("friend.requestHandled");
      return work(tx, request);
    });

  return {
    applyFriend: ({ actor, body, now }) =>
      apply(actor, body.friendId, { remark: body.remark ?? "", source: sourceOf(body.source) }, now),

    addFriend: ({ actor, query, now }) => apply(actor, query.friendId, { remark: "", source: null }, now),

    async approveFriendRequest({ actor, query, now }) {
      const outcome = await handle(query.id, actor, "recvId", async (tx, request) =>
        approve(tx, request, await findPerson(tx, actor.userId), now),
      );
      await notify.requestApproved(actor, outcome);
      return null;
    },

    async rejectFriendRequest({ actor, query }) {
      const outcome = await handle(query.id, actor, "recvId", (tx, request) =>
        closeFriendRequest(tx, request, RequestStatus.REJECTED),
      );
      await notify.requestClosed(actor, outcome, MessageType.FRIEND_REQ_REJECT);
      return null;
    },

    async recallFriendRequest({ actor, query }) {
      const outcome = await handle(query.id, actor, "sendId", (tx, request) =>
        closeFriendRequest(tx, request, RequestStatus.RECALLED),
      );
      await notify.requestClosed(actor, outcome, MessageType.FRIEND_REQ_RECALL);
      return null;
    },

    async listFriendRequests({ actor }) {
      const requests = await store.listPendingRequests(actor.userId);
      const ids = new Set(requests.flatMap((request) => [request.sendId, request.recvId]));
      const users = new Map((await store.findUsers([...ids])).map((user) => [user.id, user]));
      return requests.flatMap((request) => {
        const [sender, receiver] = [users.get(request.sendId), users.get(request.recvId)];
        return sender && receiver ? [requestVO(request, sender, receiver)] : [];
      });
    },
  };
}

/** What the sender adds to a request. */
interface RequestDetails {
  remark: string;
  source: number | null;
}

const SOURCES: readonly number[] = Object.values(RequestSource);

/** Unknown sources are stored as null. */
function sourceOf(source: number | null | undefined): number | null {
  return source != null && SOURCES.includes(source) ? source : null;
}

async function findPerson(tx: ContactsTx, id: number): Promise<UserRow> {
  return requireOpenAccount(await tx.findUser(id));
}

async function authorizeRequest(tx: ContactsTx, me: number, friendId: number): Promise<void> {
  if (isFriend(await tx.findFriend(me, friendId))) throw new ApiError("friend.already");
  if (await tx.isBlocked(friendId, me)) throw new ApiError("friend.blockedYou");
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
