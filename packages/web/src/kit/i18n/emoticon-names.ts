import { EMOTICONS, splitEmoticons } from "@parley/protocol/emoticons";
import { hasText } from "./i18n.ts";
import type { Translate } from "./i18n.ts";

/** Name of an emoticon in the reader's language. */
export function emoticonName(number: number, t: Translate): string {
  const id = `emoticon.${number}`;
  return hasText(id) ? t(id) : (EMOTICONS[number] ?? "");
}

/** Replaces the emoticons of a text by their names, for places that show text only. */
export function emoticonsToText(text: string, t: Translate): string {
  if (!text.includes("#")) return text;
  return splitEmoticons(text)
    .map((part) => ("text" in part ? part.text : `[${emoticonName(part.emoticon, t)}]`))
    .join("");
}
