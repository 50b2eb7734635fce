import type { DraftMention } from "@parley/core/model/state";
import { EMOTICONS, emoticonToken, splitEmoticons } from "@parley/protocol/emoticons";

/** A text and whom it names. */
export interface TextWithMentions {
  readonly text: string;
  readonly mentions: readonly DraftMention[];
}

/** A part of a text that something else stands for, in UTF-16 units. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly put: string;
}

/**
 * In the field emoticon 0 is this character, and the others those that follow: one letter each to the caret, to undo and to an input
 * method. Unicode leaves them free, and lets lines break around them as around Han letters. They leave the field as tokens.
 */
const FIRST_CODE = 0x3ff00;

const CHAR = new RegExp(
  `[\\u{${FIRST_CODE.toString(16)}}-\\u{${(FIRST_CODE + EMOTICONS.length - 1).toString(16)}}]`,
  "gu",
);

export function emoticonChar(number: number): string {
  return String.fromCodePoint(FIRST_CODE + number);
}

/** The emoticons of a text of the field, and where they stand. */
export function emoticonCharsIn(text: string): readonly { from: number; to: number; number: number }[] {
  return [...text.matchAll(CHAR)].map(({ index, 0: char }) => ({
    from: index,
    to: index + char.length,
    number: (char.codePointAt(0) ?? FIRST_CODE) - FIRST_CODE,
  }));
}

/** As the field holds it. Such characters that come from elsewhere are no emoticons, and go. */
export function encodeText(textWithMentions: TextWithMentions): TextWithMentions {
  return applyChanges(textWithMentions, encodingChanges(textWithMentions.text));
}

/** As it is sent and kept. */
export function decodeText(textWithMentions: TextWithMentions): TextWithMentions {
  const changes = emoticonCharsIn(textWithMentions.text).map(({ from, to, number }) => ({
    from,
    to,
    put: emoticonToken(number),
  }));
  return applyChanges(textWithMentions, changes);
}

export function encodeEmoticons(text: string): string {
  return encodeText({ text, mentions: [] }).text;
}

export function decodeEmoticons(text: string): string {
  return decodeText({ text, mentions: [] }).text;
}

/** Tokens that came into a text of the field when it was changed: typed, dropped or written by a tool. */
export function newEmoticonTokens(before: string, after: string): readonly TextChange[] {
  if (!after.includes("#")) return [];
  const max = Math.min(before.length, after.length);
  let head = 0;
  while (head < max && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < max - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const end = after.length - tail;
  return encodingChanges(after).filter(({ from, to, put }) => put !== "" && from < end && head < to);
}

/** Where a place of a text lies after changes of it; one inside what was changed moves to its end. */
export function positionAfter(place: number, changes: readonly TextChange[]): number {
  let shift = 0;
  for (const { from, to, put } of changes) {
    if (place <= from) break;
    shift += put.length - (Math.min(place, to) - from);
  }
  return place + shift;
}

function encodingChanges(text: string): readonly TextChange[] {
  let at = 0;
  return splitEmoticons(text).flatMap((part): readonly TextChange[] => {
    const from = at;
    if ("emoticon" in part) {
      at += emoticonToken(part.emoticon).length;
      return [{ from, to: at, put: emoticonChar(part.emoticon) }];
    }
    at += part.text.length;
    return emoticonCharsIn(part.text).map((char) => ({
      from: from + char.from,
      to: from + char.to,
      put: "",
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
  for (const { from, to, put } of changes) {
    result += text.slice(end, from) + put;
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
