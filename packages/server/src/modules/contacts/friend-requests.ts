/** Friend requests. Checks and writes are one transaction; pushes are sent after its commit. */
import { MessageType, RequestSource, RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO } from "@parley/protocol/entities";
import { visibleOrEmpty } from "@parley/protocol/text";
import { findKnown } from "../../access/acquaintance.ts";
import { isFriend, requireOpenAccount } from "../../access/people.ts";
import type { Delivery } from "../../delivery/delivery.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import type { Language } from "../../api/language.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { RequestRow } from "../../ports/contact-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { Presence } from "../../ports/presence.ts";
import { requestVO } from "../../presenters/person-presenter.ts";
import type { ContactsStore, ContactsTx } from "./contacts-store.ts";
import {
  type FriendRequestOutcome,
  type RequestDetails,
  approveFriendRequest,
  closeFriendRequest,
  storeFriendRequest,
} from "./friendship.ts";
import { createNotifyFriendRequests } from "./notify-friend-requests.ts";

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
    details: RequestDetails,
    now: number,
  ): Promise<FriendRequestVO> => {
    const me = actor.userId;
    if (friendId === me) throw new ApiError("friend.self");
    refuseIfLimited(await rateLimiter.consume("friendRequests", me));
    const outcome = await store.write(async (tx) => {
      const [sender, receiver] = [await findPerson(tx, me), await findKnown(tx, me, friendId, now)];
      await authorizeRequest(tx, me, friendId);
      const received = await tx.findPendingRequest(friendId, me);
      if (received !== undefined) return approveFriendRequest(tx, received, sender, now, defaultLanguage);
      const sent = await tx.findPendingRequest(me, friendId);
      if (receiver.isManualApprove) {
        if (sent !== undefined) throw new ApiError("friend.requestPending");
        return storeFriendRequest(tx, sender, receiver, details, now);
      }
      // A pending request is older than the receiver's decision to approve everybody.
      const ids = { sendId: me, recvId: friendId };
      const request =
        sent ??
        (await tx.insertRequest({ ...ids, ...details, status: RequestStatus.APPROVED, applyTime: now }));
      return approveFriendRequest(tx, request, receiver, now, defaultLanguage);
    });
    if (outcome.tip === undefined) await notify.requestSent(outcome);
    else await notify.requestApproved(actor, outcome);
    return outcome.vo;
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
      apply(
        actor,
        body.friendId,
        { remark: visibleOrEmpty(body.remark ?? ""), source: sourceOf(body.source) },
        now,
      ),

    addFriend: ({ actor, query, now }) => apply(actor, query.friendId, { remark: "", source: null }, now),

    async approveFriendRequest({ actor, query, now }) {
      const outcome = await handle(query.id, actor, "recvId", async (tx, request) => {
        // The applicant has changed their mind since.
        await requireUnblocked(tx, actor.userId, request.sendId);
        return approveFriendRequest(tx, request, await findPerson(tx, actor.userId), now, defaultLanguage);
      });
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
      const users = await store.findUsers([...ids]);
      return requests.flatMap((request) => {
        const [sender, receiver] = [users.get(request.sendId), users.get(request.recvId)];
        return sender && receiver ? [requestVO(request, sender, receiver)] : [];
      });
    },
  };
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
  await requireUnblocked(tx, me, friendId);
}

async function requireUnblocked(tx: ContactsTx, me: number, friendId: number): Promise<void> {
  if (await tx.isBlocked(friendId, me)) throw new ApiError("friend.blockedYou");
}
