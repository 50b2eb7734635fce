import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

export interface EmptyStateProps {
  /** An illustration of `illustrations.tsx` or `lazy-illustrations.tsx`. */
  illustration: ReactNode;
  /** One sentence. */
  text: string;
  /** At most one button. */
  action?: ReactNode;
  children?: ReactNode;
}

/** Says that there is nothing to show, and what to do about it. */
export function EmptyState({ illustration, text, action, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <svg className={styles.illustration} viewBox="0 0 96 96" fill="none" aria-hidden="true">
        {illustration}
      </svg>
      <p className={styles.text}>{text}</p>
      {children}
      {action}
    </div>
  );
}
