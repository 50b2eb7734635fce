import { useMemo } from "react";
import type { ReactNode } from "react";
import { isShownAsToast } from "./toast-store.ts";

interface FailureTextProps {
  className?: string | undefined;
  /** The sentence, to compare it with the toasts. */
  text: string;
  /** Shown instead of the sentence alone, e.g. with an icon. */
  children?: ReactNode;
}

/** A sentence that says what failed. Screen readers say it when it appears, unless a toast with the same sentence does. */
export function FailureText({ className, text, children = text }: FailureTextProps) {
  // Kept, because a role that comes when the toast goes would be announced after all.
  const isInToast = useMemo(() => isShownAsToast(text), [text]);
  return (
    <p className={className} role={isInToast ? undefined : "alert"}>
      {children}
    </p>
  );
}
