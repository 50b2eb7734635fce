import * as z from "zod/mini";

/** Length in Unicode code points, the unit of every limit on text. */
export function countCodePoints(text: string): number {
  let n = 0;
  for (let i = 0; i < text.length; i++, n++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) i++;
    }
  }
  return n;
}

/** The beginning of a text, of at most `max` code points. `slice` would cut an emoji in two, and half of one cannot be sent. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (const character of text) {
    if (max-- === 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Whether every store and client can handle the text: it has no NUL and no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** A character that draws something: no blank, no control, and none that only shapes others or fills a place, as in `U+200B` or `U+3164`. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]/u;

/** Whether a text shows anything. Nothing is taken away from it: joiners and variation selectors belong to emoji and to several scripts. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** A text that may be left out, such as a signature; empty if it shows nothing. */
export function visibleOrEmpty(text: string): string {
  return isVisible(text) ? text : "";
}

/** A name that may be left out, such as a remark; null if it shows nothing. */
export function visibleOrNull(name: string | null): string | null {
  return name !== null && isVisible(name) ? name : null;
}

/** Control characters, and characters that change the direction of a text. */
const UNSAFE_IN_FILE_NAMES = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a file whose own name shows nothing. */
const UNNAMED_FILE = "file";

/** A file name as people may see it: without characters that hide or turn round a part of it, and so another extension. */
export function visibleFileName(name: string): string {
  return isVisible(name) ? name.replace(UNSAFE_IN_FILE_NAMES, "") : UNNAMED_FILE;
}

/** Well-formed text of any length, for fields whose length is checked elsewhere with its own error. */
export const anyText = () =>
  z.string().check(z.refine(isWellFormed, { error: "contains NUL or a lone surrogate" }));

/** Well-formed text of at most `max` and at least `min` code points. */
export const text = (max: number, min = 0) =>
  anyText().check(
    z.refine((value) => countCodePoints(value) <= max, { error: `longer than ${max} characters` }),
    z.refine((value) => countCodePoints(value) >= min, {
      error: min === 1 ? "must not be empty" : `shorter than ${min} characters`,
    }),
  );

/** Text that shows something, such as a name, of at most `max` code points. */
export const visibleText = (max: number) =>
  text(max, 1).check(z.refine(isVisible, { error: "must not be empty" }));

/** Whether a value is an id or a sequence number: a whole number from 0 to 2^53 - 1. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export const id = () => z.number().check(z.refine(isId, { error: "not an id" }));

/** A code, such as the type of a message; other versions may have more of them. */
export const code = () => z.number().check(z.refine(Number.isSafeInteger, { error: "not a code" }));

/** The largest time that `Date` can represent; formatting a later one throws. */
const TIME_MAX = 8_640_000_000_000_000;

/** Whether a value is a time in epoch ms. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= TIME_MAX;
}

export const time = () => z.number().check(z.refine(isTime, { error: "not a time" }));

/** An id, or -1 for the position before all messages. */
export const position = () =>
  z.number().check(z.refine((n) => Number.isSafeInteger(n) && n >= -1, { error: "not a position" }));

const digits = z.string().check(z.regex(/^\d{1,16}$/, { error: "not a whole number" }));

/** An id in a path or a query string. */
export const idParam = () =>
  z.pipe(
    z.pipe(digits, z.transform(Number)),
    z.number().check(z.refine(Number.isSafeInteger, { error: "not an id" })),
  );

/** `true` or `false` in a query string. */
export const flagParam = () =>
  z.pipe(
    z.enum(["true", "false"], { error: "neither true nor false" }),
    z.transform((value) => value === "true"),
  );

/** At most `max` ids joined by commas in a query string. */
export const idListParam = (max: number) =>
  z.pipe(
    z.pipe(
      z.string().check(z.regex(/^(\d{1,16}(,\d{1,16})*)?$/, { error: "not a comma-joined list of ids" })),
      z.transform((value) => (value === "" ? [] : value.split(",").map(Number))),
    ),
    z.array(z.number()).check(z.maxLength(max, { error: `more than ${max} ids` })),
  );
