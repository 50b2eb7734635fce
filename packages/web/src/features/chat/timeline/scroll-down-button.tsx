import { ArrowDown } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { TimelineButton } from "./timeline-button.tsx";
import styles from "./timeline.module.css";

/** A button that scrolls to the newest message, with the number of unread messages. */
export function ScrollDownButton({ unreadCount, onClick }: { unreadCount: number; onClick: () => void }) {
  const t = useText();
  const label = unreadCount > 0 ? t("chat.downUnseen", { count: unreadCount }) : t("chat.down");
  return (
    <TimelineButton label={label} count={unreadCount} className={styles.scrollDown} onClick={onClick}>
      <ArrowDown {...ICON_PROPS} />
    </TimelineButton>
  );
}
