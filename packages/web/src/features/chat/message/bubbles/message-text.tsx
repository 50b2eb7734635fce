import { memo } from "react";
import { emoticonToken, splitEmoticons } from "@parley/protocol/emoticons";
import { emoticonName } from "../../../../kit/i18n/emoticon-names.ts";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { lazyComponent, lazyHook } from "../../../../kit/loading/lazy-component.tsx";
import type { TextPart } from "./link-parts.ts";
import styles from "./bubble.module.css";

const CodeText = lazyComponent(() => import("../kinds/lazy-kinds.tsx").then((part) => part.CodeText));

interface MessageTextProps {
  text: string;
  /** Emoticons and emoji without other text are larger. */
  isLarge?: boolean;
}

/** The text of a message with code, links and emoticons. Other markup stays text. */
export const MessageText = memo(function MessageText(props: MessageTextProps) {
  const plain = <PlainText {...props} />;
  return props.text.includes("`") ? <CodeText text={props.text} waiting={plain} /> : plain;
});

/** A text with links and emoticons, without code. */
export function PlainText({ text, isLarge = false }: MessageTextProps) {
  const TextSegment = isLarge ? LargeEmoji : TextWithLinks;
  if (!text.includes("#")) return <TextSegment text={text} />;
  return splitEmoticons(text).map((part, index) =>
    "text" in part ? (
      <TextSegment key={index} text={part.text} />
    ) : (
      <Emoticon key={index} number={part.emoticon} size={isLarge ? 48 : 24} />
    ),
  );
}

function LargeEmoji({ text }: { text: string }) {
  return <span className={styles.emoji}>{text}</span>;
}

function TextWithLinks({ text }: { text: string }) {
  return useLinks(text).map((part, index) =>
    part.kind === "text" ? (
      part.text
    ) : (
      <a
        key={index}
        className={styles.link}
        href={part.href}
        target="_blank"
        rel="noopener noreferrer"
        dir="ltr"
      >
        {part.text}
      </a>
    ),
  );
}

/** A text that does not match contains no link. */
const HINT = /[\p{L}\p{N}]\.\p{L}|:\/\/|@/u;

/** The code that finds links is large, and most first screens contain none. */
const useSplitLinks = lazyHook(() => import("./link-parts.ts").then((part) => part.splitLinks));

/** Splits a text into plain text and links. Everything is plain text until the code that finds links is loaded. */
function useLinks(text: string): readonly TextPart[] {
  const mayHaveLinks = HINT.test(text);
  const split = useSplitLinks(mayHaveLinks);
  return mayHaveLinks && split !== null ? split(text) : [{ kind: "text", text }];
}

/** The animated picture of an emoticon. */
function Emoticon({ number, size }: { number: number; size: 24 | 32 | 48 }) {
  const t = useText();
  return (
    <img
      className={styles.emoticon}
      src={`/emoticons/${number}.gif`}
      width={size}
      height={size}
      alt={emoticonName(number, t)}
      data-token={emoticonToken(number)}
      loading="lazy"
      decoding="async"
      draggable={false}
    />
  );
}

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
