import { Eye } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import styles from "./composer.module.css";

/** The wish to know who reads the message being written. */
export interface ReceiptRequest {
  /** Groups up to a size. */
  readonly isPossible: boolean;
  readonly isAsked: boolean;
  readonly setAsked: (isAsked: boolean) => void;
}

/** Asks for the next message alone. */
export function ReceiptTool({ receipt: { isAsked, setAsked } }: { receipt: ReceiptRequest }) {
  const t = useText();
  return (
    <button
      type="button"
      className={styles.receipt}
      aria-pressed={isAsked}
      data-tip={t("readers.asked")}
      data-tip-side="top"
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => setAsked(!isAsked)}
    >
      <Eye {...ICON_PROPS_16} />
      {t("readers.ask")}
    </button>
  );
}
