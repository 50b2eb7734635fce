import { ATTRIBUTE_KEY_MAX, ATTRIBUTE_VALUE_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";

/** An attribute while it is being edited; `id` identifies its line. */
export interface Pair {
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

/** The problem of the name or the value of a line. */
export interface PairErrors {
  readonly key?: "required" | "tooLong" | "twice";
  readonly value?: "tooLong";
}

/** Whether a line is empty; empty lines are left out and are no error. */
function isBlank(pair: Pair): boolean {
  return pair.key.trim() === "" && pair.value.trim() === "";
}

/** The problem of each line, by its id. */
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
    if (Object.keys(found).length > 0) errors.set(pair.id, found);
  }
  return errors;
}

/** The attributes in the form of the protocol. */
export function attributesOf(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.filter((pair) => !isBlank(pair)).map((pair) => [pair.key.trim(), pair.value.trim()]),
  );
}
