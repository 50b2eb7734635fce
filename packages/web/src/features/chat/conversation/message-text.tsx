import { memo } from "react";
import { splitLinks } from "./link-parts.ts";
import styles from "./bubble.module.css";

/** The words of a message with its links; never markup. */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
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
});
