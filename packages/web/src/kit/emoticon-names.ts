import { useEffect } from "react";
import { EMOTICONS, splitEmoticons } from "@parley/protocol/emoticons";
import { hasText, loadTexts } from "./i18n.ts";
import type { Text } from "./i18n.ts";

/** What an emoticon is called in the reader's language; its name on the wire while those texts have not come. */
export function emoticonName(number: number, t: Text): string {
  const id = `emoticon.${number}`;
  return hasText(id) ? t(id) : (EMOTICONS[number] ?? "");
}

/** A text with the names of its emoticons in place of the pictures: for a line of words. */
export function emoticonsToText(text: string, t: Text): string {
  if (!text.includes("#")) return text;
  return splitEmoticons(text)
    .map((part) => ("text" in part ? part.text : `[${emoticonName(part.emoticon, t)}]`))
    .join("");
}

/** Whoever shows an emoticon fetches their names: they come with the texts that the first screens do without. */
export function useEmoticonNames(isShown: boolean): void {
  useEffect(() => {
    // Without a network the names of the wire stay.
    if (isShown) loadTexts("lazy").catch(() => undefined);
  }, [isShown]);
}
