import { useEffect } from "react";
import { EMOTICONS, splitEmoticons } from "@parley/protocol/emoticons";
import { hasText, loadTexts } from "./i18n.ts";
import type { Text } from "./i18n.ts";

/** Name of an emoticon in the reader's language; its name on the wire until those texts are loaded. */
export function emoticonName(number: number, t: Text): string {
  const id = `emoticon.${number}`;
  return hasText(id) ? t(id) : (EMOTICONS[number] ?? "");
}

/** Replaces the emoticons of a text by their names, for places that show text only. */
export function emoticonsToText(text: string, t: Text): string {
  if (!text.includes("#")) return text;
  return splitEmoticons(text)
    .map((part) => ("text" in part ? part.text : `[${emoticonName(part.emoticon, t)}]`))
    .join("");
}

/** Loads the names of the emoticons, which are in the lazy texts, as soon as an emoticon is shown. */
export function useEmoticonNames(isShown: boolean): void {
  useEffect(() => {
    // Without a network the names on the wire stay.
    if (isShown) loadTexts("lazy").catch(() => undefined);
  }, [isShown]);
}
