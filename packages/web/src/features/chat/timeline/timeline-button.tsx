import type { ComponentProps } from "react";
import { ArrowDown } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import styles from "./timeline.module.css";

interface TimelineButtonProps extends ComponentProps<"button"> {
  /** Accessible name and tooltip. */
  label: string;
  /** Shown in a badge on the button. */
  count: number;
}

/** A round button over the end of the messages that scrolls to others. */
export function TimelineButton({ label, count, className, children, ...button }: TimelineButtonProps) {
  return (
    <button
      {...button}
      type="button"
      className={classNames(styles.roundButton, className)}
      aria-label={label}
      data-tip={label}
      data-tip-side="top"
    >
      {children}
      <Badge count={count} className={styles.roundButtonBadge} />
    </button>
  );
}

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
