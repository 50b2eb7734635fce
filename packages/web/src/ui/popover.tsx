import type { ReactElement, ReactNode } from "react";
import * as Radix from "radix-ui/popover";
import styles from "./popover.module.css";

export interface PopoverProps {
  /** Names the popover for screen readers. */
  label: string;
  /** The button that opens it; must take a ref and props. */
  trigger: ReactElement;
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center" | "end";
  width?: number;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A small window beside its button; Esc or a click outside closes it. */
export function Popover(props: PopoverProps) {
  const { label, trigger, side = "bottom", align = "start", width, isOpen, onOpenChange, children } = props;
  return (
    <Radix.Root {...(isOpen !== undefined && { open: isOpen })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.popover}
          aria-label={label}
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={8}
          style={width === undefined ? undefined : { inlineSize: width }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
