import type { ReactNode } from "react";
import styles from "./banner.module.css";

export interface BannerProps {
  icon: ReactNode;
  /** At the end, e.g. "retry now". */
  action?: ReactNode;
  children: ReactNode;
}

/** A 32 px bar under a header that tells a lasting state. The words are announced when they change. */
export function Banner({ icon, action, children }: BannerProps) {
  return (
    <div className={styles.banner}>
      <span className={styles.icon}>{icon}</span>
      <span>{children}</span>
      {action}
    </div>
  );
}

export function BannerAction({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.action} onClick={onClick}>
      {children}
    </button>
  );
}
