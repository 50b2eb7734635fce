/** Values that programs often handle wrongly. They are JSON texts, because not all of them can be JavaScript values. */
import type { Prng } from "./prng.ts";

/** A part of every text that a battery sends and that no log may contain. */
export const SENTINEL = "canary-5e1f";

const FIXED_VALUES: readonly string[] = [
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

/** A random edge case value as JSON text. Longer strings contain the sentinel. */
export function edgeCaseValue(random: Prng, depth = 3): string {
  const roll = random.below(20);
  if (roll < 11) return random.pick(FIXED_VALUES);
  if (roll === 11) return JSON.stringify(`${SENTINEL}${"x".repeat(random.below(300))}`);
  if (roll === 12) return JSON.stringify(`${SENTINEL}${edgeCaseText(random)}`);
  if (roll === 13) return nested(random, random.below(2_000));
  if (roll === 14) return String(random.below(1_000_000));
  if (roll === 15) return JSON.stringify(`${SENTINEL} ${"😀界".repeat(random.below(60))}`);
  if (depth === 0) return "{}";
  const inner = () => edgeCaseValue(random, depth - 1);
  if (roll < 18) return `[${repeatUpTo(random, 5, inner).join(",")}]`;
  return `{${repeatUpTo(random, 5, () => `${JSON.stringify(edgeCaseName(random))}:${inner()}`).join(",")}}`;
}

/** Calls `make` a random number of times, at most `max`. */
export function repeatUpTo<T>(random: Prng, max: number, make: () => T): T[] {
  return Array.from({ length: random.below(max + 1) }, make);
}

/** Random UTF-16, including unpaired surrogates and control characters. */
export function edgeCaseText(random: Prng): string {
  const high = random.pick([0x20, 0x80, 0x800, 0xe000, 0x1_0000]);
  return String.fromCharCode(...repeatUpTo(random, 20, () => random.below(high)));
}

/** A random name of a field that programs often handle wrongly. */
export function edgeCaseName(random: Prng): string {
  return random.pick([
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "id",
    "",
    "then",
    edgeCaseText(random),
  ]);
}

/** A value nested `depth` times in arrays or objects. */
function nested(random: Prng, depth: number): string {
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
  ]) as [string, string];
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}
