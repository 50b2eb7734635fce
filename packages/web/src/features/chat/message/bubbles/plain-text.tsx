import { useDeferredValue } from "react";
import { emoticonToken, splitEmoticons } from "@parley/protocol/emoticons";
import { emoticonName } from "../../../../kit/i18n/emoticon-names.ts";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { splitLinks, wereLinksSearched } from "./link-parts.ts";
import styles from "./bubble.module.css";

/** The props of a text. */
export interface PlainTextProps {
  text: string;
  /** Emoticons and emoji without other text are larger. */
  isLarge?: boolean;
}

/** A text with links and emoticons, without code. */
export function PlainText({ text, isLarge = false }: PlainTextProps) {
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
  const mayHaveLinks = HINT.test(text);
  // The first search of all is made after the text was painted. A value for the first render costs another render, so others have none.
  const isSearched = useDeferredValue(mayHaveLinks, mayHaveLinks && !wereLinksSearched() ? false : undefined);
  if (!isSearched) return text;
  return splitLinks(text).map((part, index) =>
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
