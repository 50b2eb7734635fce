import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { CheckMark } from "../../../ui/check-mark.tsx";
import styles from "./message-row.module.css";

/** The tick before a message while several are being chosen; the row around it takes the press. */
export function SelectionCheckbox({ message, isChosen }: { message: ChatMessage; isChosen: boolean }) {
  const t = useText();
  return (
    <button
      type="button"
      className={styles.choose}
      role="checkbox"
      aria-checked={isChosen}
      aria-label={t("act.choose")}
      disabled={message.id === null}
    >
      <CheckMark isOn={isChosen} />
    </button>
  );
}
