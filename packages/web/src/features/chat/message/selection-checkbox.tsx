import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { CheckMark } from "../../../ui/check-mark.tsx";
import styles from "./message-row.module.css";

/** The check box before a message while messages are being selected. The row around it handles the click. */
export function SelectionCheckbox({ message, isSelected }: { message: ChatMessage; isSelected: boolean }) {
  const t = useText();
  return (
    <button
      type="button"
      className={styles.checkbox}
      role="checkbox"
      aria-checked={isSelected}
      aria-label={t("act.choose")}
      disabled={message.id === null}
    >
      <CheckMark isOn={isSelected} />
    </button>
  );
}
