import { badgeText } from "./badge-text.ts";
import { classNames } from "./class-names.ts";
import styles from "./badge.module.css";

export interface BadgeProps {
  count: number;
  /** A muted chat: a grey dot without a number. */
  isMuted?: boolean;
  className?: string | undefined;
}

/** Unread count. Silent: the row or button around it says the number in its label. Nothing for 0. */
export function Badge({ count, isMuted = false, className }: BadgeProps) {
  const text = badgeText(count);
  if (text === null) return null;
  return (
    <span className={classNames(styles.badge, isMuted && styles.dot, className)} aria-hidden="true">
      {isMuted ? null : text}
    </span>
  );
}
