import { create } from "zustand";

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

let lastId = 0;

/** The visible toasts, oldest first. */
export const useToasts = create<readonly Toast[]>(() => []);

/** Shows a toast for a moment. A repeated text replaces its earlier toast. At most three are shown; the oldest is dropped first. */
export function showToast(
  kind: ToastKind,
  text: string,
  durationMs: number,
  action: ToastAction | null = null,
): void {
  lastId += 1;
  const toast = { id: lastId, kind, text, durationMs, action };
  useToasts.setState((toasts) => {
    const others = toasts.filter((other) => other.text !== text || other.kind !== kind);
    return [...others, toast].slice(-TOASTS_MAX);
  }, true);
}

/** Whether an error toast says this text now, so that it need not be announced again where it also stands. */
export function isShownAsToast(text: string): boolean {
  return useToasts.getState().some((toast) => toast.kind === "error" && toast.text === text);
}

/** Whether an error toast is shown now, whatever it says. */
export function isErrorShownAsToast(): boolean {
  return useToasts.getState().some(({ kind }) => kind === "error");
}

/** Removes a toast. */
export function dismissToast(id: number): void {
  useToasts.setState((toasts) => toasts.filter((toast) => toast.id !== id), true);
}
