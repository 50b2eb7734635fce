import { Vibrate } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { ICON_16 } from "../../../ui/icon.ts";
import { BubbleFrame } from "./frame.tsx";
import type { BubbleProps } from "./frame.tsx";
import styles from "./cards.module.css";

/** Somebody shook the other one's window. */
export function ShakeBubble(props: BubbleProps) {
  const t = useText();
  const { selfSend, group } = props.message;
  return (
    <BubbleFrame {...props}>
      <span className={styles.shake}>
        <Vibrate {...ICON_16} />
        {t(group !== null ? "chat.shakeAll" : selfSend ? "chat.shakeMine" : "chat.shakeTheirs")}
      </span>
    </BubbleFrame>
  );
}
