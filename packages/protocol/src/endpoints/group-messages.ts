import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { AT_LIST_MAX, TMP_ID_MAX } from "../limits.ts";
import { groupMessage } from "../message.ts";
import { newPoll } from "../poll.ts";
import { anyText, id, idParam, text } from "../text.ts";
import { dayStarts, historyPosition, idsToDelete } from "./messages.ts";

export const sendGroupMessage = endpoint({
  method: "POST",
  path: "/message/group/send",
  auth: "token",
  summary: "Send a message to a group; the same tmpId again answers the same row",
  body: z.object({
    groupId: id(),
    content: anyText(),
    type: z.number(),
    tmpId: z.optional(z.nullable(text(TMP_ID_MAX))),
    /** -1 stands for everyone; only owner and admins may use it. */
    atUserIds: z.optional(
      z.nullable(
        z
          .array(z.union([id(), z.literal(-1)], { error: "not an id, nor -1" }))
          .check(z.maxLength(AT_LIST_MAX, { error: `more than ${AT_LIST_MAX}` })),
      ),
    ),
    receipt: z.optional(z.nullable(z.boolean())),
    quoteMessageId: z.optional(z.nullable(id())),
    /** Makes a text a poll with this question. */
    poll: z.optional(z.nullable(newPoll)),
  }),
  answer: groupMessage,
});

/** Pages as in a private chat. */
export const groupHistory = endpoint({
  method: "GET",
  path: "/message/group/history",
  auth: "token",
  summary: "A page of one group",
  query: z.object({ groupId: idParam(), ...historyPosition }),
  answer: z.array(groupMessage),
});

export const groupDays = endpoint({
  method: "GET",
  path: "/message/group/days",
  auth: "token",
  summary: "Of these days, the starts of those on which I see a message of one group",
  query: z.object({ groupId: idParam(), starts: dayStarts() }),
  answer: z.array(z.number()),
});

export const readGroupMessages = endpoint({
  method: "PUT",
  path: "/message/group/readed",
  auth: "token",
  summary: "Move my read position in a group up",
  query: z.object({ groupId: idParam(), messageId: z.optional(idParam()) }),
  answer: z.null(),
});

export const findReadedUsers = endpoint({
  method: "GET",
  path: "/message/group/findReadedUsers",
  auth: "token",
  summary:
    "Who has read a message, or who of those in the group sees it and has not; its sender, owner and admins may ask",
  query: z.object({
    groupId: idParam(),
    messageId: idParam(),
    /** By default `read`. */
    who: z.optional(z.union([z.literal("read"), z.literal("unread")], { error: "neither read nor unread" })),
  }),
  answer: z.array(id()),
});

export const recallGroupMessage = endpoint({
  method: "DELETE",
  path: "/message/group/recall/:id",
  auth: "token",
  summary: "Recall my own message, or as owner or admin a member's; answers the stored notice (type 10)",
  params: z.object({ id: idParam() }),
  answer: groupMessage,
});

export const deleteGroupMessages = endpoint({
  method: "DELETE",
  path: "/message/group/deleteMessage",
  auth: "token",
  summary: "Hide messages of one group from me, on all my terminals",
  body: z.object({
    groupId: id(),
    ids: idsToDelete(),
  }),
  answer: z.null(),
});
