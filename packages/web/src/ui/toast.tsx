import { useEffect, useState, useSyncExternalStore } from "react";
import { CircleAlert, CircleCheck, Info } from "lucide-react";
import { classNames } from "./class-names.ts";
import { ICON_16 } from "./icon.ts";
import { useUiTexts } from "./ui-texts.ts";
import styles from "./toast.module.css";

export type ToastKind = "info" | "success" | "error";

interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly text: string;
  readonly durationMs: number;
}

const MOST = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says something for a moment. The same words twice in a row stay one toast. At most three are seen; the oldest goes first. */
export function showToast(kind: ToastKind, text: string, durationMs: number): void {
  lastId += 1;
  const others = toasts.filter((toast) => toast.text !== text || toast.kind !== kind);
  replace([...others, { id: lastId, kind, text, durationMs }].slice(-MOST));
}

function dismiss(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts show: top centre. Mounted once. */
export function ToastLayer() {
  const texts = useUiTexts();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    // `aria-live` keeps the region readable while a modal dialog hides the rest of the page.
    <section
      className={styles.layer}
      aria-label={texts.notifications}
      aria-live="polite"
      aria-relevant="additions"
      data-toasts
    >
      {shown.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert } as const;

function ToastItem({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(toast.id), toast.durationMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  const Icon = ICONS[toast.kind];
  return (
    <div
      className={classNames(styles.toast, styles[toast.kind])}
      role={toast.kind === "error" ? "alert" : "status"}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Icon {...ICON_16} />
      <span>{toast.text}</span>
    </div>
  );
}
