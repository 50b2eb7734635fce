import { Eye } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ICON } from "../../../ui/icon.ts";
import styles from "./composer.module.css";

/** The wish to know who reads the message being written. */
export interface Receipt {
  /** Groups up to a size. */
  readonly isPossible: boolean;
  readonly isAsked: boolean;
  readonly setAsked: (isAsked: boolean) => void;
}

/** Asks for the next message alone. */
export function ReceiptTool({ receipt: { isAsked, setAsked } }: { receipt: Receipt }) {
  const t = useText();
  return (
    <span className={styles.receipt}>
      <IconButton
        label={t("readers.ask")}
        tooltipSide="top"
        isOn={isAsked}
        aria-pressed={isAsked}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setAsked(!isAsked)}
      >
        <Eye {...ICON} />
      </IconButton>
    </span>
  );
}
