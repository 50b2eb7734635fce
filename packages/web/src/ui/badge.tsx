import { badgeText } from "./badge-text.ts";
import { classNames } from "./class-names.ts";
import styles from "./badge.module.css";

export interface BadgeProps {
  count: number;
  /** A muted chat: a grey dot without a number. */
  isMuted?: boolean;
  /** Somebody put a mark here: a dot, which a number takes the place of. */
  isMarked?: boolean;
  className?: string | undefined;
}

/** Unread count. Silent: the row or button around it says the number in its label. Nothing for 0 without a mark. */
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
