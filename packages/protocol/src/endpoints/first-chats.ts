import * as z from "zod/mini";
import { ChatType } from "../codes.ts";
import { endpoint } from "../endpoint.ts";
import { FIRST_CHATS_DEFAULT, FIRST_CHATS_MAX } from "../limits.ts";
import { groupMessage, privateMessage, systemMessage } from "../message.ts";
import { id, idParam, position } from "../text.ts";

/** What a chat list shows of a chat. */
const shared = {
  /** The system chat: 0. */
  targetId: id(),
  /** As this person calls the chat; null: the client has the words, as for the system chat. */
  name: z.nullable(z.string()),
  /** The small picture. */
  headImage: z.nullable(z.string()),
  isTop: z.boolean(),
  /** null: not set. */
  msgRemind: z.nullable(z.number()),
  /** Not more than `FIRST_UNREAD_MAX`. */
  unread: z.number(),
  /** The oldest unread message; null for none. */
  firstUnreadId: z.nullable(id()),
  /** An unread message mentions me, or everyone. */
  atMe: z.boolean(),
  atAll: z.boolean(),
  /** Read positions, as in `/user/changes`. */
  mine: position(),
  theirs: position(),
};

/** A chat with its newest message, whose content is shortened to what a list shows and which quotes nothing. */
export const firstChat = z.discriminatedUnion("type", [
  z.object({ type: z.literal(ChatType.PRIVATE), ...shared, message: privateMessage }),
  z.object({ type: z.literal(ChatType.GROUP), ...shared, message: groupMessage }),
  z.object({ type: z.literal(ChatType.SYSTEM), ...shared, message: systemMessage }),
]);
export type FirstChat = z.output<typeof firstChat>;

/** How many chats are wanted. */
const count = z.pipe(
  idParam(),
  z
    .number()
    .check(
      z.minimum(1, { error: "less than 1" }),
      z.maximum(FIRST_CHATS_MAX, { error: `more than ${FIRST_CHATS_MAX}` }),
    ),
);

/**
 * A view of the top of the chat list, for a device that has nothing yet. Completeness comes from the pulls and the change feed alone.
 */
export const loadFirstChats = endpoint({
  method: "GET",
  path: "/chats/first",
  auth: "token",
  summary: "The top of my chat list, to show before the first pull has ended",
  query: z.object({ n: z._default(count, FIRST_CHATS_DEFAULT) }),
  answer: z.object({ chats: z.array(firstChat) }),
});
