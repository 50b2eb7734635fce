import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./chip.module.css";

export interface ChipProps {
  tone?: "plain" | "warm" | "accent";
  children: ReactNode;
}

/** A small label beside a name. */
export function Chip({ tone = "plain", children }: ChipProps) {
  return <span className={classNames(styles.chip, styles[tone])}>{children}</span>;
}
