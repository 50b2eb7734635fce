import * as z from "zod/mini";
import { id, position } from "./text.ts";

/**
 * What a person has set for a chat, the same on all their devices. A new pref is a field here: an optional one, whose null says that it is
 * not set. Each is set on its own, and the last write that the server commits counts.
 */
const prefs = {
  /**
   * The chat is marked as unread, and its newest message was this one then: an id, in the system chat a seqNo, -1 in an empty chat. The mark
   * ends when the person has read further.
   */
  unreadMark: z.optional(z.nullable(position())),
  /**
   * The chat is archived, and its newest message was this one then: an id, in the system chat a seqNo, -1 in an empty chat. A later message
   * brings it back; while the chat is muted, only one that mentions the person by name and is unread.
   */
  archived: z.optional(z.nullable(position())),
};

/** Prefs to set. One that this version does not know is refused, because it would be lost without a word. */
export const prefChange = z.strictObject(prefs);
export type PrefChange = z.output<typeof prefChange>;

/** What is set. What this version does not know stays in it for one that does, which the feed would not tell again. */
export const chatPrefs = z.looseObject(prefs);
export type ChatPrefs = z.output<typeof chatPrefs>;

/** What is set for a chat as of a version, which rises with each change. */
export const versionedPrefs = z.object({ v: id(), prefs: chatPrefs });
export type VersionedPrefs = z.output<typeof versionedPrefs>;
