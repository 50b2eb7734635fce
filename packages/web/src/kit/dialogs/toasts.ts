import type { Failure } from "@parley/core/model/state";
import { showToast } from "../../ui/toast-store.ts";
import type { ToastAction } from "../../ui/toast-store.ts";
import { failureText } from "../i18n/failure-text.ts";
import { currentText } from "../i18n/i18n.ts";

const TOAST_MS = 1_500;
/** Long enough to read an offer and to reach its button. */
const OFFER_MS = 8_000;

/** Spec §9: 1.5 s each; errors are announced at once. */
export const toasts = {
  info: (text: string) => showToast("info", text, TOAST_MS),
  success: (text: string) => showToast("success", text, TOAST_MS),
  error: (text: string) => showToast("error", text, TOAST_MS),
  /** For a whole sentence that is shown nowhere else. */
  long: (text: string) => showToast("info", text, 4 * TOAST_MS),
  /** With a button for a next step. */
  offer: (text: string, action: ToastAction) => showToast("success", text, OFFER_MS, action),
  /** What went wrong, with a button to see more. */
  problem: (text: string, action: ToastAction) => showToast("error", text, OFFER_MS, action),
  failure: (failure: Failure) => showToast("error", failureText(failure, currentText()), TOAST_MS),
} as const;
