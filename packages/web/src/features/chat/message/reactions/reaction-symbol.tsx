import { emoticonOf } from "@parley/protocol/emoticons";
import { emoticonName } from "../../../../kit/i18n/emoticon-names.ts";
import type { Translate } from "../../../../kit/i18n/i18n.ts";
import styles from "./reactions.module.css";

/** What screen readers say: an emoji, or the name of an emoticon. */
export function reactionName(reaction: string, t: Translate): string {
  const number = emoticonOf(reaction);
  return number === null ? reaction : emoticonName(number, t);
}

/** An emoji in the font of the system, or the picture of an emoticon, as high as the line of its text. */
export function ReactionSymbol({ reaction }: { reaction: string }) {
  const number = emoticonOf(reaction);
  return (
    <span className={styles.symbol} aria-hidden="true">
      {number === null ? reaction : <img src={`/emoticons/${number}.gif`} alt="" draggable={false} />}
    </span>
  );
}
