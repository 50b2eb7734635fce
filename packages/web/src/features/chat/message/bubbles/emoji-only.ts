import { splitEmoticons } from "@parley/protocol/emoticons";

/** Up to so many stand alone without a bubble, twice as large (interface §6). */
const EMOJI_MAX = 3;
/** No few pictures are longer: three families with a skin tone each. */
const LENGTH_MAX = 120;

/** One picture of Unicode, with all that belongs to it; literals with this flag need a later target. */
const EMOJI = new RegExp("\\p{RGI_Emoji}", "gv");

/** Whether a text is nothing but one to three pictures, ours or those of Unicode. */
export function isEmojiOnly(text: string): boolean {
  if (text.length > LENGTH_MAX) return false;
  let count = 0;
  for (const part of splitEmoticons(text)) {
    if ("emoticon" in part) {
      count++;
      continue;
    }
    const rest = part.text.replace(EMOJI, () => {
      count++;
      return "";
    });
    if (rest.trim() !== "") return false;
  }
  return count > 0 && count <= EMOJI_MAX;
}
