import { useEffect, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import { AlertIcon, CheckIcon, InfoIcon } from "./icons.tsx";
import { Stack, Text } from "./layout.tsx";
import { dismissToast, useToasts } from "./toast-store.ts";
import type { Toast } from "./toast-store.ts";
import { useUiTexts } from "./ui-texts.ts";
import styles from "./toast.module.css";

/** Shows the toasts at the top centre of the page. Mounted once. */
export function ToastLayer() {
  const texts = useUiTexts();
  const shown = useToasts();
  return (
    // `aria-live` keeps the region readable while a modal dialog hides the rest of the page.
    <Stack
      as="section"
      gap={8}
      align="center"
      className={styles.layer}
      aria-label={texts.notifications}
      aria-live="polite"
      aria-relevant="additions"
      data-toasts
    >
      {shown.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </Stack>
  );
}

const ICONS = { info: InfoIcon, success: CheckIcon, error: AlertIcon } as const;

function ToastItem({ toast }: { toast: Toast }) {
  const { action } = toast;
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const previousFocus = useRef<HTMLElement | null>(null);
  const isPaused = isPointedAt || hasFocus;
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => dismissToast(toast.id), toast.durationMs);
    return () => clearTimeout(timer);
  }, [toast, isPaused]);
  const Icon = ICONS[toast.kind];
  return (
    <div
      className={classNames(styles.toast, styles[toast.kind])}
      role={toast.kind === "error" ? "alert" : "status"}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      // F6 reaches a toast with a button like the parts of the page.
      data-landmark={action === null ? undefined : "toast"}
    >
      <Icon />
      <Text shrink>{toast.text}</Text>
      {action !== null && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            dismissToast(toast.id);
            action.run();
          }}
          onFocus={({ relatedTarget }) => {
            if (relatedTarget instanceof HTMLElement) previousFocus.current = relatedTarget;
            setFocus(true);
          }}
          onBlur={() => setFocus(false)}
          onKeyDown={({ key }) => {
            if (key !== "Escape") return;
            dismissToast(toast.id);
            previousFocus.current?.focus();
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}
