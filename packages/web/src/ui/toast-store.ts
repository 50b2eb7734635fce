import { useSyncExternalStore } from "react";

export type ToastKind = "info" | "success" | "error";

/** What a toast offers to do; it goes with the press. */
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

const MOST = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says something for a moment. The same words twice in a row stay one toast. At most three are seen; the oldest goes first. */
export function showToast(
  kind: ToastKind,
  text: string,
  durationMs: number,
  action: ToastAction | null = null,
): void {
  lastId += 1;
  const others = toasts.filter((toast) => toast.text !== text || toast.kind !== kind);
  replace([...others, { id: lastId, kind, text, durationMs, action }].slice(-MOST));
}

export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The toasts that show, oldest first. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}
