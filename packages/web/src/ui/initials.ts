const HAN = /\p{Script=Han}/u;

/**
 * Text of an avatar without a picture: two Han characters, for a person the last ones (the given name), else the first ones; without Han
 * characters the first letters of the first two words.
 */
export function initials(name: string, isPerson = true): string {
  const trimmed = name.trim();
  if (HAN.test(trimmed)) {
    const han = [...trimmed].filter((character) => HAN.test(character));
    return (isPerson ? han.slice(-2) : han.slice(0, 2)).join("");
  }
  const words = trimmed.split(/[\s\p{P}]+/u).filter(Boolean);
  const [first, second] = words;
  if (first === undefined) return "?";
  const letters =
    second === undefined ? [...first].slice(0, 2) : [...first].slice(0, 1).concat([...second].slice(0, 1));
  return letters.join("").toUpperCase();
}

/** Colour of an avatar without a picture, 1 to 8, always the same for the same id. */
export function avatarColour(id: number): number {
  // Adjacent ids should have different colours, and so should ids with a distance of 8.
  return ((((id * 5 + Math.floor(id / 8) * 3) % 8) + 8) % 8) + 1;
}
