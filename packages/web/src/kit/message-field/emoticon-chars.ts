import type { DraftMention } from "@parley/core/model/state";
import { EMOTICONS, emoticonToken, splitEmoticons } from "@parley/protocol/emoticons";

/** A text and its mentions. */
export interface TextWithMentions {
  readonly text: string;
  readonly mentions: readonly DraftMention[];
}

/** A range of a text and what replaces it, in UTF-16 units. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

/**
 * In the field emoticon 0 is this character, and the others follow it: caret, undo and input methods treat each as one character. Unicode
 * does not assign them, and lines break around them as around Han characters. Outside the field they are tokens.
 */
const FIRST_CODE = 0x3ff00;

const CHAR = new RegExp(
  `[\\u{${FIRST_CODE.toString(16)}}-\\u{${(FIRST_CODE + EMOTICONS.length - 1).toString(16)}}]`,
  "gu",
);

/** The character that represents an emoticon in the field. */
export function emoticonChar(number: number): string {
  return String.fromCodePoint(FIRST_CODE + number);
}

/** The emoticons in the field's text, and their ranges. */
export function emoticonCharsIn(text: string): readonly { from: number; to: number; number: number }[] {
  return [...text.matchAll(CHAR)].map(({ index, 0: char }) => ({
    from: index,
    to: index + char.length,
    number: (char.codePointAt(0) ?? FIRST_CODE) - FIRST_CODE,
  }));
}

/** Converts a text for the field: tokens become emoticon characters. Such characters in the input are no emoticons and are removed. */
export function encodeText(textWithMentions: TextWithMentions): TextWithMentions {
  return applyChanges(textWithMentions, encodingChanges(textWithMentions.text));
}

/** Converts the field's text to what is sent and stored: emoticon characters become tokens. */
export function decodeText(textWithMentions: TextWithMentions): TextWithMentions {
  const changes = emoticonCharsIn(textWithMentions.text).map(({ from, to, number }) => ({
    from,
    to,
    replacement: emoticonToken(number),
  }));
  return applyChanges(textWithMentions, changes);
}

/** `encodeText` for a text without mentions. */
export function encodeEmoticons(text: string): string {
  return encodeText({ text, mentions: [] }).text;
}

/** `decodeText` for a text without mentions. */
export function decodeEmoticons(text: string): string {
  return decodeText({ text, mentions: [] }).text;
}

/** The tokens that a change of the field's text completed or added, and the emoticon characters that replace them. */
export function newEmoticonTokens(before: string, after: string): readonly TextChange[] {
  if (!after.includes("#")) return [];
  const max = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < max && before[prefix] === after[prefix]) prefix++;
  let suffix = 0;
  while (suffix < max - prefix && before[before.length - 1 - suffix] === after[after.length - 1 - suffix])
    suffix++;
  const end = after.length - suffix;
  return encodingChanges(after).filter(
    ({ from, to, replacement }) => replacement !== "" && from < end && prefix < to,
  );
}

/** Maps a position in a text to the changed text. A position inside a changed range moves to its end. */
export function positionAfter(position: number, changes: readonly TextChange[]): number {
  let shift = 0;
  for (const { from, to, replacement } of changes) {
    if (position <= from) break;
    shift += replacement.length - (Math.min(position, to) - from);
  }
  return position + shift;
}

function encodingChanges(text: string): readonly TextChange[] {
  let at = 0;
  return splitEmoticons(text).flatMap((part): readonly TextChange[] => {
    const from = at;
    if ("emoticon" in part) {
      at += emoticonToken(part.emoticon).length;
      return [{ from, to: at, replacement: emoticonChar(part.emoticon) }];
    }
    at += part.text.length;
    return emoticonCharsIn(part.text).map((char) => ({
      from: from + char.from,
      to: from + char.to,
      replacement: "",
    }));
  });
}

function applyChanges(
  { text, mentions }: TextWithMentions,
  changes: readonly TextChange[],
): TextWithMentions {
  if (changes.length === 0) return { text, mentions };
  let result = "";
  let end = 0;
  for (const { from, to, replacement } of changes) {
    result += text.slice(end, from) + replacement;
    end = to;
  }
  return {
    text: result + text.slice(end),
    mentions: mentions.map((one) => ({
      ...one,
      from: positionAfter(one.from, changes),
      to: positionAfter(one.to, changes),
    })),
  };
}
