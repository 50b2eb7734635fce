import type { NameMatch } from "../../../../kit/pinyin.ts";

/** Somebody who can be named. */
export interface MentionCandidate {
  /** -1 is everyone. */
  readonly userId: number;
  /** What the text will say behind the `@`: the name that all in the group see. */
  readonly name: string;
  /** What this reader calls the person, if something else. */
  readonly remark: string | null;
  /** Further words that find it. */
  readonly also?: readonly string[];
}

/**
 * Whom the words may mean, by any of the names, by pinyin and by initials. Who is found better stands first (`nameRank`), else the
 * order stays; without words all of them.
 */
export function matchCandidates(
  all: readonly MentionCandidate[],
  words: string,
  rank: NameMatch["rank"],
): readonly MentionCandidate[] {
  if (words === "") return all;
  const found = all.flatMap((one) => {
    const ranks = [one.remark, one.name, ...(one.also ?? [])].flatMap((name) => {
      const found = name === null ? null : rank(name, words);
      return found === null ? [] : [found];
    });
    return ranks.length === 0 ? [] : [{ one, rank: Math.min(...ranks) }];
  });
  return found.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}
