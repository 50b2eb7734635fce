import type { ComponentPropsWithRef } from "react";
import { useText } from "../../kit/i18n.ts";
import { classNames } from "../../ui/class-names.ts";
import styles from "./call-controls.module.css";

interface RoundButtonProps extends Omit<ComponentPropsWithRef<"button">, "className" | "aria-label"> {
  /** Name for screen readers, and the tooltip unless it is written below the button. */
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string;
  /** Writes the name below the button. */
  readonly isLabelled?: boolean;
  /** `off`: a device that is off stands out; `end` and `accept` are red and green. */
  readonly tone?: "plain" | "off" | "end" | "accept";
  /** Something is wrong with what it controls. */
  readonly hasProblem?: boolean;
  readonly size?: 32 | 48;
}

/** A round button with an icon, on the dark ground of calls. */
export function RoundButton(props: RoundButtonProps) {
  const { label, keys, isLabelled = false, tone = "plain", hasProblem = false, size = 48, ...rest } = props;
  const { children, type = "button", ...attributes } = rest;
  const t = useText();
  const tip = keys === undefined ? label : t("call.withKey", { label, key: keys });
  return (
    <span className={styles.slot}>
      <button
        {...attributes}
        type={type}
        aria-label={label}
        data-tip={isLabelled && keys === undefined ? undefined : tip}
        data-tip-side="top"
        className={classNames(styles.round, styles[`s${size}`], styles[tone])}
      >
        {children}
        {hasProblem && <span className={styles.problem}>!</span>}
      </button>
      {isLabelled && (
        <span className={styles.label} aria-hidden="true">
          {label}
        </span>
      )}
    </span>
  );
}
