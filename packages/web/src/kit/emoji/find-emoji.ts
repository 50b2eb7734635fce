import type { NameMatch } from "../search/pinyin.ts";

interface Findable {
  readonly name: string;
  readonly words: readonly string[];
}

/** More would be slow to show, and nobody looks through them. */
const FOUND_MAX = 96;
/** Only Han characters have sounds to compare, which is slow. */
const HAN = /\p{Script=Han}/u;
/** The rank of a query that is the name, and of one that is inside, at the beginning of a word. Others are those of `nameRank`, 0 to 4. */
const WHOLE_RANK = -1;
const WORD_IN_NAME_RANK = 1;
/** The rank of a query that matches a further word, at its beginning or otherwise. */
const FURTHER_RANK = 5;
const IN_FURTHER_RANK = 6;

/** The emoji whose name or words match the query (not empty), those with the better match first. */
export function findEmoji<Found extends Findable>(
  all: readonly Found[],
  query: string,
  match: Pick<NameMatch, "rank" | "matches">,
): readonly Found[] {
  const wanted = query.trim().toLowerCase();
  const mayMatch = (word: string) => HAN.test(word) || word.includes(wanted);
  const rankOfName = (name: string) => {
    if (name === wanted) return WHOLE_RANK;
    if (name.includes(` ${wanted}`)) return WORD_IN_NAME_RANK;
    return mayMatch(name) ? match.rank(name, wanted) : null;
  };
  const rankOfWord = remembered((word) => {
    if (word.startsWith(wanted)) return FURTHER_RANK;
    return mayMatch(word) && match.matches(word, wanted) ? IN_FURTHER_RANK : Infinity;
  });
  return all
    .map((emoji) => ({
      emoji,
      rank: rankOfName(emoji.name.toLowerCase()) ?? Math.min(...emoji.words.map(rankOfWord)),
    }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, FOUND_MAX)
    .map(({ emoji }) => emoji);
}

/** Many emoji have the same words. */
function remembered(rankOf: (word: string) => number): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const rank = known.get(word) ?? rankOf(word);
    known.set(word, rank);
    return rank;
  };
}
