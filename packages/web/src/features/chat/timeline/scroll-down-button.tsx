import { ArrowDown } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import styles from "./timeline.module.css";

/** A button that scrolls to the newest message, with the number of unread messages. */
export function ScrollDownButton({ unreadCount, onClick }: { unreadCount: number; onClick: () => void }) {
  const t = useText();
  const label = unreadCount > 0 ? t("chat.downUnseen", { count: unreadCount }) : t("chat.down");
  return (
    <button
      type="button"
      className={styles.scrollDown}
      aria-label={label}
      data-tip={label}
      data-tip-side="top"
      onClick={onClick}
    >
      <ArrowDown {...ICON_PROPS} />
      <Badge count={unreadCount} className={styles.scrollDownBadge} />
    </button>
  );
}
