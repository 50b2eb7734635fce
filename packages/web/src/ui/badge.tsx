import { classNames } from "./class-names.ts";
import styles from "./badge.module.css";

/** Text of a badge: 1 to 99, then `99+`; null for nothing to show. */
export function badgeText(count: number): string | null {
  if (count <= 0) return null;
  return count > 99 ? "99+" : String(count);
}

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
