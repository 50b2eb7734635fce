import type { Result } from "@parley/core/model/state";
import { failureText } from "../../kit/failure-text.ts";
import { currentText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";

/** Shows a toast if a setting could not be saved (spec §8), with the server's reason if there is one. */
export async function toastSaveFailure(change: Promise<Result<null>>): Promise<void> {
  const result = await change;
  if (result.ok) return;
  const t = currentText();
  const hasReason = result.failure.kind === "refused" && result.failure.key !== null;
  toasts.error(hasReason ? failureText(result.failure, t) : t("groups.saveFailed"));
}
