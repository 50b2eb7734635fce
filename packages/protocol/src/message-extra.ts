import * as z from "zod/mini";
import { EMOTICONS, emoticonToken } from "./emoticons.ts";
import { REACTION_KEY_MAX } from "./limits.ts";
import { poll } from "./poll.ts";
import { id, text } from "./text.ts";

/**
 * The extra of a message: what people did to it after it was sent, such as reactions. It is no row and never counts as unread. A new kind of
 * extra is a field of `states`, and of `own` if people see what they themselves did.
 */

/** How many people have chosen a key of a message, and the first of them. */
const tally = z.object({ key: z.string(), count: id(), first: z.array(id()) });
export type Tally = z.output<typeof tally>;

/** What everybody who sees the message sees of it. Without an entry, nothing of this kind was done. */
const states = {
  /** In the order of their first use. */
  reactions: z.optional(z.array(tally)),
  /** Who pinned it to the top of its chat, and when (epoch ms). */
  pin: z.optional(z.object({ by: id(), at: z.number() })),
  poll: z.optional(poll),
  /** How many chose an option of the poll; the key is its index. `first` is empty if the poll is secret. */
  votes: z.optional(z.array(tally)),
};

/** What one person did. */
const own = {
  reactions: z.optional(z.array(z.string())),
  votes: z.optional(z.array(z.string())),
};

const ownExtra = z.object(own);
export type OwnExtra = z.output<typeof ownExtra>;

export const messageExtra = z.object({
  /** Of all messages of the server, rises with each change. The extra with the higher one is the newer. */
  v: id(),
  ...states,
  /** What the reader did, as of `v`. Pushes leave it out if the reader did nothing new. */
  mine: z.optional(ownExtra),
});
export type MessageExtra = z.output<typeof messageExtra>;

/** The kinds of extras in which each person chooses keys. */
export type TallyKind = keyof OwnExtra;
export type Pin = NonNullable<MessageExtra["pin"]>;

/** What somebody did, as a push tells it: `on` false takes it back. */
export const extraAct = z.object({
  by: id(),
  kind: z.string(),
  key: z.string(),
  on: z.boolean(),
});
export type ExtraAct = z.output<typeof extraAct>;

const EMOTICON_TOKENS: ReadonlySet<string> = new Set(EMOTICONS.map((_, number) => emoticonToken(number)));

let emoji: RegExp | undefined;

/** One emoji as Unicode recommends it for interchange. No literal, because a browser of before 2023 could not load this file. */
function emojiPattern(): RegExp {
  try {
    return new RegExp("^\\p{RGI_Emoji}$", "v");
  } catch {
    // The browser does not know the flag, so the server decides alone.
    return /^\P{White_Space}+$/u;
  }
}

/** Whether people can react with it: with an emoji, or with the token of an emoticon. */
export function isReactionKey(key: string): boolean {
  // A pattern may take long for a long text.
  if (key.length > 2 * REACTION_KEY_MAX) return false;
  emoji ??= emojiPattern();
  return emoji.test(key) || EMOTICON_TOKENS.has(key);
}

/** What a person reacts with. */
export const reactionKey = () =>
  text(REACTION_KEY_MAX, 1).check(z.refine(isReactionKey, { error: "neither an emoji nor an emoticon" }));
