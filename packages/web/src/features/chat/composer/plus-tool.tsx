import { useState } from "react";
import { Plus } from "lucide-react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { lazyComponent } from "../../../kit/lazy-component.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import styles from "./composer.module.css";
import type { SelectedFiles } from "./attachments/attach-files.ts";
import type { ReceiptRequest } from "./receipt-tool.tsx";

const PlusMenu = lazyComponent(() => import("./plus-menu.tsx").then((part) => part.PlusMenu));

/** The props of the button and of its menu. */
export interface PlusToolProps {
  chatKey: ChatKey;
  /** Set if the menu should offer to request receipts; null if it should not. */
  receipt: ReceiptRequest | null;
  /** Gets the files that the person chose. */
  onAttach: (chosen: SelectedFiles) => void;
  onSent: () => void;
}

/** The button for what else can be sent. Its menu is loaded at the first click and then opens at once. */
export function PlusTool({ chatKey, receipt, onAttach, onSent }: PlusToolProps) {
  const t = useText();
  const [shouldLoadMenu, setShouldLoadMenu] = useState(false);
  const button = (
    <IconButton
      label={t("chat.more")}
      tooltipSide="top"
      aria-haspopup="menu"
      onClick={() => setShouldLoadMenu(true)}
    >
      <Plus {...ICON_PROPS} />
    </IconButton>
  );
  return (
    <span className={styles.plus}>
      {shouldLoadMenu ? (
        <PlusMenu
          chatKey={chatKey}
          receipt={receipt}
          onAttach={onAttach}
          onSent={onSent}
          waiting={button}
          onMissing={() => setShouldLoadMenu(false)}
        />
      ) : (
        button
      )}
    </span>
  );
}
