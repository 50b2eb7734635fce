import { useEffect, useId, useRef } from "react";
import type { CSSProperties, ReactNode } from "react";
import { createPortal } from "react-dom";
import { hideOthers } from "aria-hidden";
import { DismissableLayer, FocusGuards, FocusScope } from "radix-ui/internal";
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

/**
 * A modal dialog that is a dark surface in both themes, as for calls, with nothing of its own. It has the focus itself when it opens. It is made
 * of the parts of other dialogs, without those that change what the whole page inherits: a page with a long chat would stand still when it
 * opens. Its scrim keeps the pointer from the page, and no page behind it scrolls.
 */
export function SurfaceDialog({ title, width, isFull = false, onEscape, children }: SurfaceDialogProps) {
  const previousFocus = usePreviousFocus(true);
  const content = useRef<HTMLDivElement>(null);
  const titleId = useId();
  FocusGuards.useFocusGuards();
  useEffect(() => (content.current === null ? undefined : hideOthers(content.current)), []);
  return createPortal(
    <>
      <div className={styles.scrim} />
      <FocusScope.FocusScope
        asChild
        loop
        trapped
        onMountAutoFocus={(event) => {
          event.preventDefault();
          content.current?.focus({ preventScroll: true });
        }}
        onUnmountAutoFocus={(event) => {
          event.preventDefault();
          if (document.activeElement === document.body) focusAgain(previousFocus.current);
        }}
      >
        <DismissableLayer.DismissableLayer
          ref={content}
          role="dialog"
          aria-modal="true"
          aria-labelledby={titleId}
          className={classNames(styles.surface, isFull && styles.full)}
          style={{ "--width": width } as CSSProperties}
          onDismiss={onEscape}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <h2 id={titleId} className="visually-hidden">
            {title}
          </h2>
          {children}
        </DismissableLayer.DismissableLayer>
      </FocusScope.FocusScope>
    </>,
    document.body,
  );
}
