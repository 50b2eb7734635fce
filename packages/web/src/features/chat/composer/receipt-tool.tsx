import { Eye } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import styles from "./composer.module.css";

/** Whether the next message asks for read receipts. */
export interface ReceiptRequest {
  /** False outside groups and in groups that are too large. */
  readonly isAvailable: boolean;
  readonly isRequested: boolean;
  readonly setRequested: (isRequested: boolean) => void;
}

/** A toggle button: request receipts for the next message only. */
export function ReceiptTool({ receipt: { isRequested, setRequested } }: { receipt: ReceiptRequest }) {
  const t = useText();
  return (
    <button
      type="button"
      className={styles.receipt}
      aria-pressed={isRequested}
      data-tip={t("readers.asked")}
      data-tip-side="top"
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => setRequested(!isRequested)}
    >
      <Eye {...ICON_PROPS_16} />
      {t("readers.ask")}
    </button>
  );
}
