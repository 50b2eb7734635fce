import * as z from "zod/mini";
import { CHAT_TYPES } from "../codes.ts";
import { endpoint } from "../endpoint.ts";
import { systemMessage } from "../message.ts";
import { id, position } from "../text.ts";

const chatRef = { type: z.enum(CHAT_TYPES), targetId: id() };

/** What a device that was away missed and no stored message tells. */
export const userChanges = z.object({
  /** Token for the next call. */
  next: z.string(),
  /** My read position and (private chats) the other's, -1 for none. For the system chat a seqNo. */
  read: z.array(z.object({ ...chatRef, mine: position(), theirs: position() })),
  /** My "cleared up to" marks. */
  cleared: z.array(z.object({ type: z.enum(CHAT_TYPES), upTo: position() })),
  hidden: z.array(z.object({ ...chatRef, ids: z.array(id()) })),
  /** What these people wrote in these groups up to an id is gone; they may be back and write on. */
  purged: z.array(z.object({ groupId: id(), userId: id(), upTo: id() })),
  /** System messages whose state changed (a handled request). */
  system: z.array(systemMessage),
  receipts: z.array(z.object({ groupId: id(), id: id(), readedCount: z.number(), receiptOk: z.boolean() })),
});
export type UserChanges = z.output<typeof userChanges>;

export const loadChanges = endpoint({
  method: "GET",
  path: "/user/changes",
  auth: "token",
  summary: "State that changed since the last call",
  query: z.object({
    since: z.optional(z.string().check(z.regex(/^\d{0,16}$/, { error: "not a token of this call" }))),
  }),
  answer: userChanges,
});
