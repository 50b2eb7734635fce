/** Names under their index letter. */
export interface LetterSection {
  readonly letter: string;
  readonly ids: readonly number[];
}

/**
 * Sorts ids under the letters of their names: A to Z, then #; within a letter they keep their order. While a letter is not known (null, see
 * `nameLetter`), all are under the letter "", so that nothing moves twice.
 */
export function letterSections(
  ids: readonly number[],
  letterOf: (id: number) => string | null,
): readonly LetterSection[] {
  const byLetter = new Map<string, number[]>();
  for (const id of ids) {
    const letter = letterOf(id);
    if (letter === null) return [{ letter: "", ids }];
    const section = byLetter.get(letter);
    if (section === undefined) byLetter.set(letter, [id]);
    else section.push(id);
  }
  const sortKey = (letter: string) => (letter === "#" ? "~" : letter);
  return [...byLetter]
    .map(([letter, sectionIds]) => ({ letter, ids: sectionIds }))
    .toSorted((a, b) => (sortKey(a.letter) < sortKey(b.letter) ? -1 : 1));
}
