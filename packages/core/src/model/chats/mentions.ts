import { EVERYONE } from "@parley/protocol/codes";
import type { Chat, ChatMessage, DraftMention, Mention } from "../state.ts";

/** How a group message mentions this person; null: it does not. */
export function mentionOf({ id, group }: ChatMessage, me: number): Mention | null {
  if (group === null || id === null) return null;
  if (group.atUserIds.includes(me)) return { id, isAll: false };
  return group.atUserIds.includes(EVERYONE) ? { id, isAll: true } : null;
}

/** The oldest unread message that mentions me. */
export function nextMention(chat: Pick<Chat, "sync"> | undefined): number | null {
  return chat?.sync.mentions[0]?.id ?? null;
}

/**
 * The mentions of a text after any change of it. Mentions entirely before or behind the change stay and move with the text. If two would
 * overlap, the first one stays.
 */
export function shiftMentions(
  before: string,
  mentions: readonly DraftMention[],
  after: string,
): readonly DraftMention[] {
  if (before === after || mentions.length === 0) return mentions;
  const changeStart = commonLength(before, after, (text, i) => text[i]);
  const changeEnd = before.length - commonLength(before, after, (text, i) => text[text.length - 1 - i]);
  const shift = after.length - before.length;
  let end = 0;
  return mentions.flatMap((mention) => {
    const isBeforeChange = mention.to <= changeStart;
    if (!isBeforeChange && mention.from < changeEnd) return [];
    const moved = isBeforeChange
      ? mention
      : { ...mention, from: mention.from + shift, to: mention.to + shift };
    if (moved.from < end) return [];
    end = moved.to;
    return [moved];
  });
}

function commonLength(
  a: string,
  b: string,
  charAt: (text: string, index: number) => string | undefined,
): number {
  const max = Math.min(a.length, b.length);
  let length = 0;
  while (length < max && charAt(a, length) === charAt(b, length)) length++;
  return length;
}

/** The mentions of a chat's draft that are still complete in this text. */
export function remainingMentions(
  chat: Pick<Chat, "draft" | "draftMentions"> | undefined,
  text: string,
): readonly DraftMention[] {
  return chat === undefined ? [] : shiftMentions(chat.draft, chat.draftMentions, text);
}

/** The mentioned users, each once. */
export function mentionedUserIds(mentions: readonly DraftMention[]): number[] {
  return [...new Set(mentions.map((mention) => mention.userId))];
}
