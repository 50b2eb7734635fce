import { emoticonToken } from "@parley/protocol/emoticons";
import { emoticonName } from "../../../../kit/emoticon-names.ts";
import { useText } from "../../../../kit/i18n.ts";
import styles from "./emoticon.module.css";

/** The animated picture of an emoticon. */
export function Emoticon({ number, size }: { number: number; size: 24 | 32 | 48 }) {
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
