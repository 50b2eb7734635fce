import * as z from "zod/mini";
import { CHAT_TYPES } from "../codes.ts";
import { endpoint } from "../endpoint.ts";
import { SEARCH_QUERY_MAX } from "../limits.ts";
import { groupMessage, privateMessage } from "../message.ts";
import { id, idListParam, idParam, text } from "../text.ts";

/** A found message with its chat, from the view of the person who searches. */
export const searchHit = z.object({
  chatType: z.enum(CHAT_TYPES),
  targetId: id(),
  message: z.union([groupMessage, privateMessage]),
});
export type SearchHit = z.output<typeof searchHit>;

/**
 * The content must contain every term of `q` (split at white space), compared by the rules of `search-text.ts`. Newest first. `from` and `to`
 * are epoch ms, both inclusive. `next` is the token for the next page, null at the end. `total` counts the hits of all pages, at most 1,000.
 * An empty `q` lists all messages of `types`, which must then name kinds with files (1 to 4) only.
 */
export const searchMessages = endpoint({
  method: "GET",
  path: "/message/search",
  auth: "token",
  summary: "Search the messages I may see",
  query: z.object({
    q: text(SEARCH_QUERY_MAX),
    chatType: z.optional(z.enum(CHAT_TYPES)),
    targetId: z.optional(idParam()),
    sendId: z.optional(idParam()),
    types: z.optional(idListParam(20)),
    from: z.optional(idParam()),
    to: z.optional(idParam()),
    next: z.optional(
      z.string().check(z.regex(/^\d{1,16}(-\d{1,16})?$/, { error: "not a token of this call" })),
    ),
  }),
  answer: z.object({
    hits: z.array(searchHit),
    total: z.number(),
    next: z.nullable(z.string()),
  }),
});
