import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { POLL_OPTION_MAX, POLL_OPTIONS_MAX } from "../limits.ts";
import { groupMessage, privateMessage } from "../message.ts";
import { messageExtra, reactionKey } from "../message-extra.ts";
import { pollOption } from "../poll.ts";
import { id, idParam, text } from "../text.ts";

/** People who did the same to a message. */
const peoplePage = z.object({
  people: z.array(
    z.object({
      userId: id(),
      nickName: z.string(),
      /** Epoch ms. */
      at: z.number(),
    }),
  ),
  /** Null: this was the last page. */
  next: z.nullable(id()),
});
export type PeoplePage = z.output<typeof peoplePage>;

export const setReaction = endpoint({
  method: "PUT",
  path: "/message/reaction",
  auth: "token",
  summary: "React to a message that I see, in any chat, or take the reaction back; again is the same",
  body: z.object({ id: id(), key: reactionKey(), on: z.boolean() }),
  answer: messageExtra,
});

export const listReactions = endpoint({
  method: "GET",
  path: "/message/reactions",
  auth: "token",
  summary: "Who reacted to a message with one key, the earliest first",
  query: z.object({
    id: idParam(),
    key: z.string(),
    /** `next` of the page before. */
    after: z.optional(idParam()),
  }),
  answer: peoplePage,
});

export const setVotes = endpoint({
  method: "PUT",
  path: "/message/vote",
  auth: "token",
  summary: "Vote in a poll that I see: all options that I choose; none takes my vote back; again is the same",
  body: z.object({
    id: id(),
    /** Indexes of the options. */
    options: z.array(id()).check(z.maxLength(POLL_OPTIONS_MAX, { error: `more than ${POLL_OPTIONS_MAX}` })),
  }),
  answer: messageExtra,
});

export const addPollOption = endpoint({
  method: "PUT",
  path: "/message/poll/option",
  auth: "token",
  summary: "Add an option to a poll that I see and that allows it; again is the same",
  body: z.object({ id: id(), text: pollOption() }),
  answer: messageExtra,
});

export const setSignUpLine = endpoint({
  method: "PUT",
  path: "/message/poll/line",
  auth: "token",
  summary: "Set my line of a sign-up list that I see; an empty text takes it back; again is the same",
  body: z.object({ id: id(), text: text(POLL_OPTION_MAX) }),
  answer: messageExtra,
});

export const listVoters = endpoint({
  method: "GET",
  path: "/message/poll/voters",
  auth: "token",
  summary: "Who chose an option of a poll that is not secret, the earliest first",
  query: z.object({
    id: idParam(),
    option: idParam(),
    /** `next` of the page before. */
    after: z.optional(idParam()),
  }),
  answer: peoplePage,
});

export const closePoll = endpoint({
  method: "PUT",
  path: "/message/poll/close",
  auth: "token",
  summary: "End a poll of mine, or as an admin one of the group; again is the same",
  body: z.object({ id: id() }),
  answer: messageExtra,
});

export const setPin = endpoint({
  method: "PUT",
  path: "/message/pin",
  auth: "token",
  summary:
    "Pin a message that I see to the top of its chat, for everybody there, or unpin it; again is the same",
  body: z.object({ id: id(), on: z.boolean() }),
  answer: messageExtra,
});

/** How many messages are pinned that the reader does not see, because they came later, or cleared or deleted them. */
const unseen = z.number();

export const privatePins = endpoint({
  method: "GET",
  path: "/message/private/pins",
  auth: "token",
  summary: "The pinned messages of one private chat, the one that was pinned last first",
  query: z.object({ friendId: idParam() }),
  answer: z.object({ messages: z.array(privateMessage), unseen }),
});

export const groupPins = endpoint({
  method: "GET",
  path: "/message/group/pins",
  auth: "token",
  summary: "The pinned messages of one group, the one that was pinned last first",
  query: z.object({ groupId: idParam() }),
  answer: z.object({ messages: z.array(groupMessage), unseen }),
});
