import type { ReactNode } from "react";
import styles from "./empty-state.module.css";
import { Stack } from "./layout.tsx";

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
    <Stack gap={16} align="center" justify="center" grow paddingX={16} paddingY={24} textAlign="center">
      <svg className={styles.illustration} viewBox="0 0 96 96" fill="none" aria-hidden="true">
        {illustration}
      </svg>
      <p className={styles.text}>{text}</p>
      {children}
      {action}
    </Stack>
  );
}
