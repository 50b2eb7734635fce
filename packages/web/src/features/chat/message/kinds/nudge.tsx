import { Vibrate } from "lucide-react";
import { useText } from "../../../../kit/i18n.ts";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";
import styles from "./card-bubbles.module.css";

/** Says that somebody sent a nudge. */
export function NudgeBubble(props: BubbleProps) {
  const t = useText();
  const { selfSend, group } = props.message;
  return (
    <BubbleFrame {...props}>
      <span className={styles.shake}>
        <Vibrate {...ICON_PROPS_16} />
        {t(group !== null ? "chat.shakeAll" : selfSend ? "chat.shakeMine" : "chat.shakeTheirs")}
      </span>
    </BubbleFrame>
  );
}
