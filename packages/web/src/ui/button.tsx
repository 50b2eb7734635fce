import type { ComponentPropsWithRef, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";
import styles from "./button.module.css";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger" | "dangerFill";
export type ButtonSize = "small" | "medium" | "large";

export interface ButtonProps extends Omit<ComponentPropsWithRef<"button">, "className"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shown before the text. */
  icon?: ReactNode;
  /** Shows a spinner and ignores clicks. */
  isBusy?: boolean;
  /** Takes the full width. */
  isWide?: boolean;
  className?: string | undefined;
}

/** A button with a text. */
export function Button({
  variant = "secondary",
  size = "medium",
  icon,
  isBusy = false,
  isWide = false,
  className,
  children,
  type = "button",
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classNames(styles.button, styles[variant], styles[size], isWide && styles.wide, className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy ? <Spinner size={16} /> : icon}
      <span className={styles.label}>{children}</span>
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "className" | "aria-label"> {
  /** Name for screen readers. */
  label: string;
  /** Shown unless `hasTooltip` is false; the label by default. */
  tooltip?: string;
  size?: 28 | 32 | 36 | 40;
  hasTooltip?: boolean;
  tooltipSide?: "top" | "bottom" | "right";
  /** Selected: accent colour on the selected background. */
  isOn?: boolean;
  isDanger?: boolean;
  className?: string | undefined;
}

/** A button that shows an icon only. */
export function IconButton({
  label,
  tooltip = label,
  size = 40,
  hasTooltip = true,
  tooltipSide = "bottom",
  isOn = false,
  isDanger = false,
  className,
  type = "button",
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      data-tip={hasTooltip ? tooltip : undefined}
      data-tip-side={hasTooltip ? tooltipSide : undefined}
      className={classNames(
        styles.icon,
        styles[`s${size}`],
        isOn && styles.on,
        isDanger && styles.iconDanger,
        className,
      )}
    >
      {children}
    </button>
  );
}
