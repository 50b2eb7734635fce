import * as z from "zod/mini";
import { ChatType } from "./codes.ts";
import { SAVED_NOTE_MAX, SAVED_TAG_MAX, SAVED_TAGS_MAX } from "./limits.ts";
import { groupMessage, privateMessage } from "./message.ts";
import { id, text, time, visibleText } from "./text.ts";

/**
 * Messages that a person has saved, for themselves and on all their devices. The server keeps the reference, the note and the tags; the
 * message in its answers is the one of the chat, as the person may see it there. Clients keep a copy of it until the server says that it is
 * no longer saved.
 */

/** A word to find saved messages by. */
const savedTag = () =>
  visibleText(SAVED_TAG_MAX).check(
    z.refine((tag) => tag === tag.trim(), { error: "begins or ends with a blank" }),
  );

/** What a person writes to a saved message. */
export const savedWords = {
  note: text(SAVED_NOTE_MAX),
  tags: z.array(savedTag()).check(
    z.maxLength(SAVED_TAGS_MAX, { error: `more than ${SAVED_TAGS_MAX} tags` }),
    z.refine((tags) => new Set(tags).size === tags.length, { error: "has a tag twice" }),
  ),
};

/** A saved message without the message: its chat, from the view of the person who saved it, and since when it is saved. */
const savedRef = z.object({
  type: z.enum([ChatType.PRIVATE, ChatType.GROUP]),
  targetId: id(),
  at: time(),
  note: z.string(),
  tags: z.array(z.string()),
});
export type SavedRef = z.output<typeof savedRef>;

/** Whether a message is saved as of a version, which rises with each change, also one of the words of the message. */
export const savedChange = z.object({ id: id(), v: id(), saved: z.nullable(savedRef) });
export type SavedChange = z.output<typeof savedChange>;

/** A saved message. */
export const savedMessage = z.object({
  id: id(),
  v: id(),
  saved: savedRef,
  message: z.union([groupMessage, privateMessage]),
});
export type SavedMessage = z.output<typeof savedMessage>;
