import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { friendRequestVO, friendVO, userInfo } from "../entities.ts";
import { REMARK_MAX } from "../limits.ts";
import { id, idParam, text, time } from "../text.ts";

export const listFriends = endpoint({
  method: "GET",
  path: "/friend/list",
  auth: "token",
  summary: "All my friends, deleted ones included",
  answer: z.array(friendVO),
});

export const findFriend = endpoint({
  method: "GET",
  path: "/friend/find/:id",
  auth: "token",
  summary: "One friend",
  params: z.object({ id: idParam() }),
  answer: friendVO,
});

export const applyFriend = endpoint({
  method: "POST",
  path: "/friend/request/apply",
  auth: "token",
  summary: "Ask a person to be friends",
  body: z.object({
    friendId: id(),
    /** `RequestSource`: where the person was found. */
    source: z.optional(z.nullable(z.number())),
    remark: z.optional(z.nullable(text(REMARK_MAX))),
  }),
  answer: friendRequestVO,
});

const requestId = () => z.object({ id: idParam() });

export const approveFriendRequest = endpoint({
  method: "POST",
  path: "/friend/request/approve",
  auth: "token",
  summary: "Approve a friend request",
  query: requestId(),
  answer: z.null(),
});

export const rejectFriendRequest = endpoint({
  method: "POST",
  path: "/friend/request/reject",
  auth: "token",
  summary: "Reject a friend request",
  query: requestId(),
  answer: z.null(),
});

export const recallFriendRequest = endpoint({
  method: "POST",
  path: "/friend/request/recall",
  auth: "token",
  summary: "Take back my friend request",
  query: requestId(),
  answer: z.null(),
});

export const listFriendRequests = endpoint({
  method: "GET",
  path: "/friend/request/list",
  auth: "token",
  summary: "Pending requests, received ones first",
  answer: z.array(friendRequestVO),
});

export const addFriend = endpoint({
  method: "POST",
  path: "/friend/add",
  auth: "token",
  summary: "Older clients: apply with an empty remark",
  query: z.object({ friendId: idParam() }),
  answer: friendRequestVO,
});

export const deleteFriend = endpoint({
  method: "DELETE",
  path: "/friend/delete/:id",
  auth: "token",
  summary: "End a friendship on both sides",
  params: z.object({ id: idParam() }),
  answer: z.null(),
});

export const updateFriendRemark = endpoint({
  method: "PUT",
  path: "/friend/update/remark",
  auth: "token",
  summary: "Set my own name for a friend",
  body: z.object({ friendId: id(), remarkNickName: z.nullable(text(REMARK_MAX)) }),
  answer: z.null(),
});

export const setFriendMsgRemind = endpoint({
  method: "PUT",
  path: "/friend/msgRemind",
  auth: "token",
  summary:
    "Whether this friend's messages alert me; with `until` for a time, after which the level before follows",
  body: z.object({
    friendId: id(),
    msgRemind: z.union([z.literal(0), z.literal(1)]),
    until: z.optional(z.nullable(time())),
  }),
  answer: z.null(),
});

export const setFriendTop = endpoint({
  method: "PUT",
  path: "/friend/top",
  auth: "token",
  summary: "Pin or unpin the chat with a friend, or with myself",
  body: z.object({ friendId: id(), isTop: z.boolean() }),
  answer: z.null(),
});

export const setFriendDnd = endpoint({
  method: "PUT",
  path: "/friend/dnd",
  auth: "token",
  summary: "Older clients: the same as msgRemind 0 or 1",
  body: z.object({ friendId: id(), isDnd: z.boolean() }),
  answer: z.null(),
});

export const addToBlacklist = endpoint({
  method: "POST",
  path: "/blacklist/add",
  auth: "token",
  summary: "Block a person",
  query: z.object({ userId: idParam() }),
  answer: z.null(),
});

export const removeFromBlacklist = endpoint({
  method: "DELETE",
  path: "/blacklist/remove",
  auth: "token",
  summary: "Unblock a person",
  query: z.object({ userId: idParam() }),
  answer: z.null(),
});

export const listBlacklist = endpoint({
  method: "GET",
  path: "/blacklist/list",
  auth: "token",
  summary: "People I have blocked",
  answer: z.array(userInfo),
});
