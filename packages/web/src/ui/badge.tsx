import { badgeText } from "./badge-text.ts";
import { classNames } from "./class-names.ts";
import styles from "./badge.module.css";

export interface BadgeProps {
  count: number;
  /** For a muted chat: a grey dot without a number. */
  isMuted?: boolean;
  /** Marked as unread: shows a dot if there is no number. */
  isMarked?: boolean;
  className?: string | undefined;
}

/** Unread count; nothing for 0 unless marked. It is hidden from screen readers, because the label of the row or button has the number. */
export function Badge({ count, isMuted = false, isMarked = false, className }: BadgeProps) {
  const text = badgeText(count);
  if (text === null && !isMarked) return null;
  const isDot = isMuted || text === null;
  return (
    <span
      className={classNames(styles.badge, isDot && styles.dot, isDot && isMuted && styles.muted, className)}
      aria-hidden="true"
      data-badge={isDot ? "" : text}
    >
      {isDot ? null : text}
    </span>
  );
}
