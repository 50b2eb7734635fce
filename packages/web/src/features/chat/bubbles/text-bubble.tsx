import { splitEmoticons } from "@parley/protocol/emoticons";
import { BubbleFrame } from "./frame.tsx";
import type { BubbleProps } from "./frame.tsx";
import { MessageText } from "./message-text.tsx";

/** Up to so many emoticons alone need no bubble, and are twice as large (interface §6). */
const ALONE_MAX = 3;

/** Words, links and emoticons. */
export function TextBubble(props: BubbleProps) {
  const { content, quoteMessage } = props.message;
  const isAlone = quoteMessage === null && isFewEmoticons(content);
  return (
    <BubbleFrame {...props} look={isAlone ? "bare" : "plain"}>
      <MessageText text={content} isLarge={isAlone} />
    </BubbleFrame>
  );
}

function isFewEmoticons(content: string): boolean {
  if (!content.startsWith("#")) return false;
  const parts = splitEmoticons(content).filter((part) => !("text" in part) || part.text.trim() !== "");
  return parts.length <= ALONE_MAX && parts.every((part) => "emoticon" in part);
}
