import { countCodePoints, cutText, isVisible } from "@parley/protocol/text";

/** Ends of a piece, the best first: of a paragraph, of a line, of a sentence, of a word. A piece ends behind the match. */
const ENDS = [/\n[^\S\n]*\n\s*/gu, /\n/gu, /[。！？…]+[”’」』）]*|[.!?]+["')\]]*\s+/gu, /\s+/gu] as const;

/** A code block, open or closed; it ends with its own line. */
const CODE_BLOCK = /^```[^]*?(?:^```[^\n]*(?:\n|$)|$(?![^]))/gmu;

/** A better end that makes the piece shorter than this part of the limit is not worth it. */
const SHORTEST = 0.5;
/** Letters before a cut in which the beginning of its grapheme cluster is looked for. */
const CLUSTER_MAX = 64;

/**
 * Splits a text into pieces of at most `max` code points, in order, at paragraphs, lines, sentences or blanks. A grapheme cluster is never cut in
 * two, a link or a code block only if it is longer than a piece. Blank lines between pieces are left out.
 */
export function splitText(text: string, max: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (countCodePoints(rest) > max) {
    const end = endOfPiece(rest, cutText(rest, max).length);
    pieces.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).replace(/^\s*\n/u, "");
  }
  return [...pieces, rest.trimEnd()].filter(isVisible);
}

/** Where the first piece ends if it may have `limit` UTF-16 units. */
function endOfPiece(text: string, limit: number): number {
  const shortest = limit * SHORTEST;
  const block = [...text.matchAll(CODE_BLOCK)].find(
    ({ 0: code, index }) => index < limit && index + code.length > limit,
  );
  // Before the code block, if that leaves something: only a block that fills more than a piece is cut.
  if (block !== undefined && block.index > 0 && isVisible(text.slice(0, block.index))) {
    const isFitting = block[0].length <= limit;
    if (isFitting || block.index >= shortest) return block.index;
  }
  // The blank behind the limit may end a piece too: it is not sent.
  const window = text.slice(0, limit + 1);
  for (const end of ENDS) {
    const ends = [...window.matchAll(end)].map(({ 0: match, index }) => index + match.length);
    const last = ends.findLast((at) => at >= shortest && text.slice(limit, at).trim() === "");
    if (last !== undefined) return last;
  }
  const word = window.search(/\S+$/u);
  // A link goes into the next piece as a whole.
  if (word > 0 && /^\S*:\/\//u.test(window.slice(word))) return word;
  return clusterStart(text, limit);
}

/** The beginning of the grapheme cluster at a position. */
function clusterStart(text: string, at: number): number {
  // Older browsers cannot tell clusters.
  if (!("Segmenter" in Intl)) return at;
  const from = Math.max(0, at - CLUSTER_MAX);
  const start = /^[\udc00-\udfff]/.test(text.slice(from)) ? from + 1 : from;
  const segments = new Intl.Segmenter().segment(text.slice(start, at + CLUSTER_MAX));
  const cluster = segments.containing(at - start);
  const begin = start + (cluster?.index ?? at - start);
  // A cluster that fills the window, such as a letter with hundreds of marks, is cut between characters.
  return begin > from ? begin : at;
}
