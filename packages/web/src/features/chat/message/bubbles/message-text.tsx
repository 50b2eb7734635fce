import { memo } from "react";
import { splitEmoticons } from "@parley/protocol/emoticons";
import { CodeText } from "./code-text.tsx";
import { PlainText, type PlainTextProps } from "./plain-text.tsx";

/** The text of a message with code, links and emoticons. Other markup stays text. */
export const MessageText = memo(function MessageText(props: PlainTextProps) {
  return props.text.includes("`") ? <CodeText text={props.text} /> : <PlainText {...props} />;
});

/** Up to this many are shown without a bubble and twice as large (interface §6). */
const EMOJI_MAX = 3;
/** Three of the longest emoji are shorter than this, e.g. families with skin tones. */
const LENGTH_MAX = 120;

/** One emoji with all its code points. A literal with this flag would need a later compile target. */
const EMOJI = new RegExp("\\p{RGI_Emoji}", "gv");

/** Whether a text is only one to three emoticons or emoji. */
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
