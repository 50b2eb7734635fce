import { ATTRIBUTE_KEY_MAX, ATTRIBUTE_VALUE_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";

/** One attribute while it is edited; `place` keeps its line. */
export interface Pair {
  readonly place: number;
  readonly key: string;
  readonly value: string;
}

export interface PairErrors {
  readonly key?: "required" | "tooLong" | "twice";
  readonly value?: "tooLong";
}

/** A line that nothing was written into is left out, and no error. */
function isBlank(pair: Pair): boolean {
  return pair.key.trim() === "" && pair.value.trim() === "";
}

/** What is wrong with each line, by its place. */
export function pairErrors(pairs: readonly Pair[]): ReadonlyMap<number, PairErrors> {
  const errors = new Map<number, PairErrors>();
  const seen = new Set<string>();
  for (const pair of pairs) {
    if (isBlank(pair)) continue;
    const key = pair.key.trim();
    const found: PairErrors = {
      ...(key === ""
        ? { key: "required" as const }
        : countCodePoints(key) > ATTRIBUTE_KEY_MAX
          ? { key: "tooLong" as const }
          : seen.has(key) && { key: "twice" as const }),
      ...(countCodePoints(pair.value.trim()) > ATTRIBUTE_VALUE_MAX && { value: "tooLong" as const }),
    };
    seen.add(key);
    if (Object.keys(found).length > 0) errors.set(pair.place, found);
  }
  return errors;
}

/** The lines as the server takes them. */
export function attributesOf(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.filter((pair) => !isBlank(pair)).map((pair) => [pair.key.trim(), pair.value.trim()]),
  );
}
