/** Values that programs stumble over, as JSON text, since not all of them are values of JavaScript. */
import type { Chance } from "./prng.ts";

/** Stands in every text that a battery sends and that no log may hold. */
export const CANARY = "canary-5e1f";

const FIXED: readonly string[] = [
  "null",
  "true",
  "false",
  "0",
  "-0",
  "-1",
  "1.5",
  "1e3",
  "1E400",
  "-1e400",
  "5e-324",
  "9007199254740991",
  "9007199254740992",
  "2147483648",
  "-2147483649",
  "99999999999999999999999999",
  "0.1e-9",
  '""',
  '" "',
  '"0"',
  '"1"',
  '"true"',
  '"null"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  String.raw`"\ud800"`,
  String.raw`"\udc00\ud800"`,
  String.raw`"\u0000"`,
  String.raw`"\ud83d\ude00"`,
  String.raw`"a\u202eb\u200b\ufeff"`,
  '"%00%ff"',
  '"../../etc/passwd"',
  `"' OR 1=1 --"`,
  '"<script>alert(1)</script>"',
  '"${7*7}{{7*7}}"',
  '"\u0645\u0631\u062d\u0628\u0627 \u4f60\u597d e\u0301"',
  "[]",
  "{}",
  "[null]",
  "[[]]",
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"toString":1,"valueOf":null}',
  '{"length":1e9}',
  '{"then":1}',
  '{"toJSON":"x"}',
];

/** One such value. Each text holds the canary or is one of a fixed few. */
export function oddValue(chance: Chance, depth = 3): string {
  const roll = chance.below(20);
  if (roll < 11) return chance.pick(FIXED);
  if (roll === 11) return JSON.stringify(`${CANARY}${"x".repeat(chance.below(300))}`);
  if (roll === 12) return JSON.stringify(`${CANARY}${oddText(chance)}`);
  if (roll === 13) return nested(chance, chance.below(2_000));
  if (roll === 14) return String(chance.below(1_000_000));
  if (roll === 15) return JSON.stringify(`${CANARY} ${"😀界".repeat(chance.below(60))}`);
  if (depth === 0) return "{}";
  const inner = () => oddValue(chance, depth - 1);
  if (roll < 18) return `[${many(chance, 5, inner).join(",")}]`;
  return `{${many(chance, 5, () => `${JSON.stringify(oddName(chance))}:${inner()}`).join(",")}}`;
}

/** Up to so many. */
export function many<T>(chance: Chance, max: number, make: () => T): T[] {
  return Array.from({ length: chance.below(max + 1) }, make);
}

/** Any UTF-16 at all, lone halves of pairs and control characters too. */
export function oddText(chance: Chance): string {
  const high = chance.pick([0x20, 0x80, 0x800, 0xe000, 0x1_0000]);
  return String.fromCharCode(...many(chance, 20, () => chance.below(high)));
}

export function oddName(chance: Chance): string {
  return chance.pick([
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "id",
    "",
    "then",
    oddText(chance),
  ]);
}

/** A value in so many values. */
function nested(chance: Chance, depth: number): string {
  const [open, close] = chance.pick([
    ["[", "]"],
    ['{"a":', "}"],
  ]) as [string, string];
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}
