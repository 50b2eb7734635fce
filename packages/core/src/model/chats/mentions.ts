import type { Chat, ChatMessage, DraftMention, Mention } from "../state.ts";

/** In `atUserIds` and in drafts: everyone. */
export const EVERYONE = -1;

/** How a message of a group names this person; null: it does not. */
export function mentionOf({ id, group }: ChatMessage, me: number): Mention | null {
  if (group === null || id === null) return null;
  if (group.atUserIds.includes(me)) return { id, isAll: false };
  return group.atUserIds.includes(EVERYONE) ? { id, isAll: true } : null;
}

/** The oldest message that names me and was not seen. */
export function nextMention(chat: Pick<Chat, "sync"> | undefined): number | null {
  return chat?.sync.mentions[0]?.id ?? null;
}

/**
 * The mentions of a text after it was changed somehow: those that stand whole before or behind the change stay, and move with the text. Of
 * two that would stand in one place the first stays.
 */
export function shiftMentions(
  before: string,
  mentions: readonly DraftMention[],
  after: string,
): readonly DraftMention[] {
  if (before === after || mentions.length === 0) return mentions;
  const head = commonLength(before, after, (text, i) => text[i]);
  const tail = before.length - commonLength(before, after, (text, i) => text[text.length - 1 - i]);
  const shift = after.length - before.length;
  let end = 0;
  return mentions.flatMap((mention) => {
    const isKept = mention.to <= head;
    if (!isKept && mention.from < tail) return [];
    const moved = isKept ? mention : { ...mention, from: mention.from + shift, to: mention.to + shift };
    if (moved.from < end) return [];
    end = moved.to;
    return [moved];
  });
}

function commonLength(a: string, b: string, at: (text: string, index: number) => string | undefined): number {
  const max = Math.min(a.length, b.length);
  let length = 0;
  while (length < max && at(a, length) === at(b, length)) length++;
  return length;
}

/** Whom a text names, each once. */
export function mentionedUserIds(mentions: readonly DraftMention[]): number[] {
  return [...new Set(mentions.map((mention) => mention.userId))];
}

/** Mentions of a draft from a disk or another tab, which an older version may have written; null when they are none. */
export function parseMentions(value: unknown): readonly DraftMention[] | null {
  if (!Array.isArray(value)) return null;
  return value.every(isMention) ? value : null;
}

function isMention(value: unknown): value is DraftMention {
  if (typeof value !== "object" || value === null) return false;
  const { userId, from, to } = value as Record<string, unknown>;
  return [userId, from, to].every((field) => typeof field === "number");
}
