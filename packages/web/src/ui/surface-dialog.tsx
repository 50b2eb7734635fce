import { useRef } from "react";
import type { CSSProperties, ReactNode } from "react";
import * as Radix from "radix-ui/dialog";
import { classNames } from "./class-names.ts";
import { focusAgain, usePreviousFocus } from "./dialog.tsx";
import styles from "./surface-dialog.module.css";

export interface SurfaceDialogProps {
  /** Name for screen readers; the content shows a title of its own. */
  title: string;
  /** A length of CSS; never wider than the window minus 32 px. */
  width: string;
  /** Fills the window, as it always does on a small screen. */
  isFull?: boolean;
  /** Esc was pressed. A click beside it does nothing. */
  onEscape: () => void;
  children: ReactNode;
}

/** A modal dialog that is a dark surface in both themes, as for calls, with nothing of its own. It has the focus itself when it opens. */
export function SurfaceDialog({ title, width, isFull = false, onEscape, children }: SurfaceDialogProps) {
  const previousFocus = usePreviousFocus(true);
  const content = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onEscape()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          ref={content}
          className={classNames(styles.surface, isFull && styles.full)}
          style={{ "--width": width } as CSSProperties}
          aria-modal="true"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) focusAgain(previousFocus.current);
          }}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Radix.Title className="visually-hidden">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
