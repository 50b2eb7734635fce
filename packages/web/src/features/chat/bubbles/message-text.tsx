import { memo } from "react";
import { splitEmoticons } from "@parley/protocol/emoticons";
import { Emoticon } from "./emoticon.tsx";
import { useLinks } from "./use-links.ts";
import styles from "./bubble.module.css";

interface MessageTextProps {
  text: string;
  /** Emoticons that stand alone are larger. */
  isLarge?: boolean;
}

/** The words of a message with its links and emoticons; never markup. */
export const MessageText = memo(function MessageText({ text, isLarge = false }: MessageTextProps) {
  if (!text.includes("#")) return <Words text={text} />;
  return splitEmoticons(text).map((part, index) =>
    "text" in part ? (
      <Words key={index} text={part.text} />
    ) : (
      <Emoticon key={index} number={part.emoticon} size={isLarge ? 48 : 24} />
    ),
  );
});

function Words({ text }: { text: string }) {
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
