import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./banner.module.css";
import { Text } from "./layout.tsx";

export interface BannerProps {
  icon: ReactNode;
  /** `info` if nothing is wrong. */
  tone?: "warning" | "info";
  /** Shown at the end, e.g. "retry now". */
  action?: ReactNode;
  children: ReactNode;
}

/** A 32 px bar below a header that shows a lasting state. */
export function Banner({ icon, tone = "warning", action, children }: BannerProps) {
  return (
    <div className={classNames(styles.banner, styles[tone])}>
      <Text shrink={false}>{icon}</Text>
      <span>{children}</span>
      {action}
    </div>
  );
}

/** A button in a banner. */
export function BannerAction({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Text as="button" type="button" shrink={false} weight="name" className={styles.action} onClick={onClick}>
      {children}
    </Text>
  );
}
