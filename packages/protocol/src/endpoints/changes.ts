import * as z from "zod/mini";
import { versionedPrefs } from "../chat-prefs.ts";
import { CHAT_TYPES } from "../codes.ts";
import { endpoint } from "../endpoint.ts";
import { systemMessage } from "../message.ts";
import { messageExtra } from "../message-extra.ts";
import { savedChange } from "../saved-message.ts";
import { id, idParam, position } from "../text.ts";

const chatRef = { type: z.enum(CHAT_TYPES), targetId: id() };

/** A field of the change feed. An answer without it says that nothing of it changed: its server may be older than the field. */
const changesOf = <Change extends z.ZodMiniType>(change: Change) => z._default(z.array(change), []);

/**
 * The change feed: what a device missed while it was away and what no stored message says. A new field is a line here; the server and the
 * clients do not compile until they fill and read it.
 */
export const userChanges = z.object({
  /** Token for the next call. */
  next: z.string(),
  /** My read position and, in private chats, that of the other person; -1 for none. In the system chat it is a seqNo. */
  read: changesOf(z.object({ ...chatRef, mine: position(), theirs: position() })),
  /** Up to which ids I have cleared my history. */
  cleared: changesOf(z.object({ type: z.enum(CHAT_TYPES), upTo: position() })),
  hidden: changesOf(z.object({ ...chatRef, ids: z.array(id()) })),
  /** Messages of these people in these groups, up to an id, that a moderator removed. The people may have joined again since. */
  purged: changesOf(z.object({ groupId: id(), userId: id(), upTo: id() })),
  /** System messages whose content changed, such as a request that was handled. */
  system: changesOf(systemMessage),
  /** The extras that changed after `extrasSince`, the earliest first. A full answer (`EXTRA_CHANGES_MAX`) is followed by more. */
  extras: changesOf(z.object({ ...chatRef, id: id(), extra: messageExtra })),
  /** `extrasSince` of the next call; null: this one did not name it. */
  extrasNext: z._default(z.nullable(id()), null),
  /** What the person has set for these chats. */
  prefs: changesOf(z.object({ ...chatRef, ...versionedPrefs.shape })),
  /** The messages that the person has saved or no longer has, and those of them whose words have changed. */
  saved: changesOf(savedChange),
  receipts: changesOf(z.object({ groupId: id(), id: id(), readedCount: z.number(), receiptOk: z.boolean() })),
});
export type UserChanges = z.output<typeof userChanges>;
/** A field of the change feed. */
export type ChangeField = Exclude<keyof UserChanges, "next" | "extrasNext">;

/** The answer that nothing changed, with every field. */
export function noChanges(next: string): UserChanges {
  return userChanges.parse({ next });
}

export const loadChanges = endpoint({
  method: "GET",
  path: "/user/changes",
  auth: "token",
  summary: "State that changed since the last call",
  query: z.object({
    since: z.optional(z.string().check(z.regex(/^\d{0,16}$/, { error: "not a token of this call" }))),
    /**
     * The version up to which the device has every extra. One that has no messages leaves it out, because they come with their extras, and
     * takes `extras` of the pull.
     */
    extrasSince: z.optional(idParam()),
  }),
  answer: userChanges,
});
