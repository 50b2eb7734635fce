import type { NameMatch } from "../../../kit/pinyin.ts";

/** Somebody who can be named. */
export interface Candidate {
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
 * Whom the words may mean, by any of the names, by pinyin and by initials. Names that begin with the words stand first, else the
 * order stays; without words all of them.
 */
export function findCandidates(
  all: readonly Candidate[],
  words: string,
  ranges: NameMatch["ranges"],
): readonly Candidate[] {
  if (words === "") return all;
  const first: Candidate[] = [];
  const others: Candidate[] = [];
  for (const one of all) {
    const names = [one.remark, one.name, ...(one.also ?? [])];
    const hits = names.flatMap((name) => (name === null ? [] : [ranges(name, words)]));
    if (hits.some((hit) => hit?.[0]?.[0] === 0)) first.push(one);
    else if (hits.some((hit) => hit !== null)) others.push(one);
  }
  return [...first, ...others];
}
