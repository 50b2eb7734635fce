import { Eye } from "lucide-react";
import { useText } from "../../../kit/i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import type { ReceiptRequest } from "./use-composition.ts";
import styles from "./composer.module.css";

/** A toggle button: request receipts for the next message only. */
export function ReceiptTool({ receipt: { isRequested, setRequested } }: { receipt: ReceiptRequest }) {
  const t = useText();
  return (
    <span className={styles.tool}>
      <IconButton
        label={t("readers.ask")}
        tooltip={t(isRequested ? "readers.asked" : "readers.ask")}
        tooltipSide="top"
        isOn={isRequested}
        aria-pressed={isRequested}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setRequested(!isRequested)}
      >
        <Eye {...ICON_PROPS} />
      </IconButton>
    </span>
  );
}
