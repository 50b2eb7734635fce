import { useState } from "react";
import { ChevronDown } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { lazyComponent } from "../../../kit/lazy-component.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS_14 } from "../../../ui/icon-props.ts";
import styles from "./composer.module.css";

const SendKeyMenu = lazyComponent(() => import("./send-key-menu.tsx").then((part) => part.SendKeyMenu));

/** The button beside the send button that opens the menu of send keys. */
export function SendKeyTool({ canSend }: { canSend: boolean }) {
  const t = useText();
  const [shouldLoadMenu, setShouldLoadMenu] = useState(false);
  const className = classNames(styles.sendKey, !canSend && styles.idle);
  const button = (
    <button
      type="button"
      className={className}
      aria-label={t("chat.sendKey")}
      aria-haspopup="menu"
      data-tip={t("chat.sendKey")}
      data-tip-side="top"
      onClick={() => setShouldLoadMenu(true)}
    >
      <ChevronDown {...ICON_PROPS_14} />
    </button>
  );
  if (!shouldLoadMenu) return button;
  return <SendKeyMenu className={className} waiting={button} onMissing={() => setShouldLoadMenu(false)} />;
}
