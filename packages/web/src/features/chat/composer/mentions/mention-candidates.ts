import type { NameMatch } from "../../../../kit/pinyin.ts";

/** A member, or everyone, who can be mentioned. */
export interface MentionCandidate {
  /** -1 is everyone. */
  readonly userId: number;
  /** The name after the `@` in the text: the one that all members see. */
  readonly name: string;
  /** My own name for the person, if it is different. */
  readonly remark: string | null;
  /** Further names that find the candidate. */
  readonly aliases?: readonly string[];
}

/**
 * The candidates that match the query by one of their names, by pinyin or by initials. Better matches come first (`nameRank`), equal ones
 * keep their order. An empty query returns all.
 */
export function matchCandidates(
  all: readonly MentionCandidate[],
  query: string,
  rank: NameMatch["rank"],
): readonly MentionCandidate[] {
  if (query === "") return all;
  const matches = all.flatMap((candidate) => {
    const ranks = [candidate.remark, candidate.name, ...(candidate.aliases ?? [])].flatMap((name) => {
      const nameRank = name === null ? null : rank(name, query);
      return nameRank === null ? [] : [nameRank];
    });
    return ranks.length === 0 ? [] : [{ candidate, rank: Math.min(...ranks) }];
  });
  return matches.sort((a, b) => a.rank - b.rank).map(({ candidate }) => candidate);
}
