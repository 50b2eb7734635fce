import type { Failure } from "@parley/core/model/state";
import { TOAST_MS } from "@parley/protocol/limits";
import { showToast } from "../ui/toast-store.ts";
import { failureText, failureWords } from "./failure-text.ts";
import { currentText } from "./i18n.ts";

/** Spec §9: 1.5 s each; errors are announced at once. */
export const toasts = {
  info: (text: string) => showToast("info", text, TOAST_MS),
  success: (text: string) => showToast("success", text, TOAST_MS),
  error: (text: string) => showToast("error", text, TOAST_MS),
  /** For a whole sentence that nothing else repeats. */
  long: (text: string) => showToast("info", text, 4 * TOAST_MS),
  failure: (failure: Failure) =>
    void failureWords(failure).then(() => showToast("error", failureText(failure, currentText()), TOAST_MS)),
} as const;
