import type { ComponentProps } from "react";
import { Badge } from "../../../ui/badge.tsx";
import { classNames } from "../../../ui/class-names.ts";
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
