import { useSyncExternalStore } from "react";

export type ToastKind = "info" | "success" | "error";

/** A button of a toast; pressing it also closes the toast. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly text: string;
  readonly durationMs: number;
  readonly action: ToastAction | null;
}

const TOASTS_MAX = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast for a moment. A repeated text replaces its earlier toast. At most three are shown; the oldest is dropped first. */
export function showToast(
  kind: ToastKind,
  text: string,
  durationMs: number,
  action: ToastAction | null = null,
): void {
  lastId += 1;
  const others = toasts.filter((toast) => toast.text !== text || toast.kind !== kind);
  replace([...others, { id: lastId, kind, text, durationMs, action }].slice(-TOASTS_MAX));
}

/** Removes a toast. */
export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The visible toasts, oldest first. */
export function useToasts(): readonly Toast[] {
  const read = () => toasts;
  return useSyncExternalStore(subscribe, read, read);
}
