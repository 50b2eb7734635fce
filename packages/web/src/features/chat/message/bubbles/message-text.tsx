import { memo } from "react";
import { splitEmoticons } from "@parley/protocol/emoticons";
import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { lazyHook } from "../../../../kit/lazy-hook.ts";
import { Emoticon } from "./emoticon.tsx";
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
