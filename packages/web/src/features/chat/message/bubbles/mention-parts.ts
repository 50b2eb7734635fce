import { EVERYONE } from "@parley/core/model/chats/mentions";
import { withoutCode } from "./code-parts.ts";

/** What `@` says for everyone in the languages of this client. */
export const EVERYONE_NAMES: readonly string[] = ["所有人", "Everyone"];

export interface MentionNames {
  /** What somebody is or was called where the text was written; the more the better. */
  (userId: number): readonly (string | null | undefined)[];
}

export type MentionPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mention"; readonly text: string; readonly userId: number };

/** A word behind an `@`, up to a blank or a sign that ends a sentence. */
const AT_WORD = /@[^\s@,.;:!?，。；：！？、]+/gu;

/**
 * Text and mentions of a message, in order; joined again they are the whole text. The message tells who is named, and not where, so the
 * names are looked for: `@` and a name of one of those, the longest that fits. A name may have changed since: when as many `@words`
 * are left as people were not found, and only then, each is taken for one of them, in their order. Otherwise nobody could say who
 * is meant, and the rest stays text. In code nobody is named.
 */
export function splitMentions(
  text: string,
  atUserIds: readonly number[],
  namesOf: MentionNames,
): readonly MentionPart[] {
  const ids = [...new Set(atUserIds)];
  const words = withoutCode(text);
  const found = findNamed(words, ids, namesOf);
  const missed = ids.filter((id) => !found.some((one) => one.userId === id));
  const free = missed.length === 0 ? [] : freeWords(words, found);
  if (free.length === missed.length) {
    free.forEach((word, index) => found.push({ ...word, userId: missed[index] ?? EVERYONE }));
    found.sort((a, b) => a.from - b.from);
  }
  return cut(text, found);
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly userId: number;
}

function findNamed(text: string, ids: readonly number[], namesOf: MentionNames): Found[] {
  const tokens = ids
    .flatMap((userId) => {
      const names = userId === EVERYONE ? EVERYONE_NAMES : namesOf(userId);
      return [...new Set(names)].flatMap((name) => (name ? [{ token: `@${name}`, userId }] : []));
    })
    .toSorted((a, b) => b.token.length - a.token.length);
  const found: Found[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at)) {
    const fits = tokens.filter(({ token }) => text.startsWith(token, at));
    // Two may have the same name: each is found once before one of them is found twice.
    const match =
      fits.find(
        ({ token, userId }) =>
          token.length === fits[0]?.token.length && !found.some((one) => one.userId === userId),
      ) ?? fits[0];
    if (match === undefined) {
      at += 1;
      continue;
    }
    found.push({ from: at, to: at + match.token.length, userId: match.userId });
    at += match.token.length;
  }
  return found;
}

function freeWords(text: string, taken: readonly Found[]): { from: number; to: number }[] {
  return [...text.matchAll(AT_WORD)].flatMap(({ index, 0: word }) => {
    const to = index + word.length;
    const isTaken = taken.some((one) => index < one.to && one.from < to);
    return isTaken || /\w/.test(text[index - 1] ?? "") ? [] : [{ from: index, to }];
  });
}

function cut(text: string, found: readonly Found[]): readonly MentionPart[] {
  const parts: MentionPart[] = [];
  let end = 0;
  for (const { from, to, userId } of found) {
    if (from > end) parts.push({ kind: "text", text: text.slice(end, from) });
    parts.push({ kind: "mention", text: text.slice(from, to), userId });
    end = to;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}
