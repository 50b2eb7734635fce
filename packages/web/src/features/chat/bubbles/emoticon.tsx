import { useEffect } from "react";
import { emoticonToken } from "@parley/protocol/emoticons";
import { loadTexts, useText } from "../../../kit/i18n.ts";
import { emoticonName } from "./emoticon-words.ts";
import styles from "./emoticon.module.css";

/** One of the 57 moving pictures. */
export function Emoticon({ number, size }: { number: number; size: 24 | 32 | 48 }) {
  const t = useText();
  useEffect(() => {
    // Their names come with the other texts that the first screens do without; the wire's names stand in meanwhile.
    loadTexts("late").catch(() => undefined);
  }, []);
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
