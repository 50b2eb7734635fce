import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { DELETE_BATCH_MAX, HISTORY_PAGE_MAX, MONTH_DAYS_MAX, TMP_ID_MAX } from "../limits.ts";
import { groupMessage, privateMessage } from "../message.ts";
import { newPoll } from "../poll.ts";
import { anyText, id, idListParam, idParam, position, text } from "../text.ts";

export const sendPrivateMessage = endpoint({
  method: "POST",
  path: "/message/private/send",
  auth: "token",
  summary: "Send a private message; the same tmpId again answers the same row",
  body: z.object({
    recvId: id(),
    content: anyText(),
    type: z.number(),
    tmpId: z.optional(z.nullable(text(TMP_ID_MAX))),
    quoteMessageId: z.optional(z.nullable(id())),
    /** Makes a text a poll with this question. */
    poll: z.optional(z.nullable(newPoll)),
  }),
  answer: privateMessage,
});

/** A cursor; left out it is 0. */
const cursor = () => z._default(idParam(), 0);
const minId = z.object({ minId: cursor() });

export const pullPrivateMessages = endpoint({
  method: "GET",
  path: "/message/private/pullOfflineMessage",
  auth: "token",
  summary: "Push everything above this id to my socket",
  query: minId,
  answer: z.null(),
});

export const pullGroupMessages = endpoint({
  method: "GET",
  path: "/message/group/pullOfflineMessage",
  auth: "token",
  summary: "Push everything above this id to my socket",
  query: minId,
  answer: z.null(),
});

export const pullSystemMessages = endpoint({
  method: "GET",
  path: "/message/system/pullOfflineMessage",
  auth: "token",
  summary: "Push everything above this seqNo to my socket",
  query: z.object({ minSeqNo: cursor() }),
  answer: z.null(),
});

export const loadPrivateMessages = endpoint({
  method: "GET",
  path: "/message/private/loadOfflineMessage",
  auth: "token",
  summary: "The pull as a list, for clients without a socket",
  query: minId,
  answer: z.array(privateMessage),
});

export const loadGroupMessages = endpoint({
  method: "GET",
  path: "/message/group/loadOfflineMessage",
  auth: "token",
  summary: "The pull as a list, for clients without a socket",
  query: minId,
  answer: z.array(groupMessage),
});

const pageNumber = () => z.optional(idParam());
const pageSize = z.pipe(
  idParam(),
  z
    .number()
    .check(
      z.minimum(1, { error: "less than 1" }),
      z.maximum(HISTORY_PAGE_MAX, { error: `more than ${HISTORY_PAGE_MAX}` }),
    ),
);

/**
 * Which page of the history. By default the newest rows. `maxId`: rows before it, newest first. `minId`: rows after it, ascending. `aroundId`
 * or `at` (epoch ms): half of the rows on each side, ascending. `page` counts from 1, for older clients.
 */
export const historyPosition = {
  maxId: z.optional(idParam()),
  minId: z.optional(idParam()),
  aroundId: z.optional(idParam()),
  at: z.optional(idParam()),
  page: pageNumber(),
  size: z.optional(pageSize),
};

export const privateHistory = endpoint({
  method: "GET",
  path: "/message/private/history",
  auth: "token",
  summary: "A page of one private chat",
  query: z.object({ friendId: idParam(), ...historyPosition }),
  answer: z.array(privateMessage),
});

/**
 * Epoch ms, ascending: the start of each day in the client's time zone, because only the client knows its daylight saving time. The last
 * entry is the end of the last day.
 */
export const dayStarts = () =>
  z.pipe(
    idListParam(MONTH_DAYS_MAX + 1),
    z.array(z.number()).check(
      z.minLength(2, { error: "less than one day" }),
      z.refine((starts) => starts.every((start, at) => at === 0 || start > (starts[at - 1] ?? 0)), {
        error: "not ascending",
      }),
    ),
  );

export const privateDays = endpoint({
  method: "GET",
  path: "/message/private/days",
  auth: "token",
  summary: "Of these days, the starts of those on which I see a message of one private chat",
  query: z.object({ friendId: idParam(), starts: dayStarts() }),
  answer: z.array(z.number()),
});

export const readPrivateMessages = endpoint({
  method: "PUT",
  path: "/message/private/readed",
  auth: "token",
  summary: "Move my read position in a private chat up",
  query: z.object({ friendId: idParam(), messageId: z.optional(idParam()) }),
  answer: z.null(),
});

export const maxReadedId = endpoint({
  method: "GET",
  path: "/message/private/maxReadedId",
  auth: "token",
  summary: "Highest of my ids that the friend has read, -1 for none",
  query: z.object({ friendId: idParam() }),
  answer: position(),
});

export const readSystemMessages = endpoint({
  method: "PUT",
  path: "/message/system/readed",
  auth: "token",
  summary: "Move my read position in the system chat up",
  query: z.object({ maxSeqNo: idParam() }),
  answer: z.null(),
});

export const recallPrivateMessage = endpoint({
  method: "DELETE",
  path: "/message/private/recall/:id",
  auth: "token",
  summary: "Recall my own message; answers the stored notice (type 10), the first one when asked again",
  params: z.object({ id: idParam() }),
  answer: privateMessage,
});

/** The messages of one chat to hide. */
export const idsToDelete = () =>
  z
    .array(id())
    .check(
      z.minLength(1, { error: "must not be empty" }),
      z.maxLength(DELETE_BATCH_MAX, { error: `more than ${DELETE_BATCH_MAX}` }),
    );

export const deletePrivateMessages = endpoint({
  method: "DELETE",
  path: "/message/private/deleteMessage",
  auth: "token",
  summary: "Hide messages of one private chat from me, on all my terminals",
  body: z.object({
    friendId: id(),
    ids: idsToDelete(),
  }),
  answer: z.null(),
});

/** `contentType` 0: `richText` is sanitised HTML; 1: `externLink` is an http(s) URL. */
export const systemContent = endpoint({
  method: "GET",
  path: "/message/system/content",
  auth: "token",
  summary: "The body of a notice of mine, by its message id",
  query: z.object({ id: idParam() }),
  answer: z.object({
    id: id(),
    contentType: z.union([z.literal(0), z.literal(1)]),
    richText: z.nullable(z.string()),
    externLink: z.nullable(z.string()),
  }),
});
