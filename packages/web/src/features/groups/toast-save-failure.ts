import type { Result } from "@parley/core/model/state";
import { failureText } from "../../kit/failure-text.ts";
import { currentText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";

/** Tells of a setting that could not be kept (spec §8): the server's reason where it gave one. */
export async function toastSaveFailure(change: Promise<Result<null>>): Promise<void> {
  const result = await change;
  if (result.ok) return;
  const t = currentText();
  const hasReason = result.failure.kind === "refused" && result.failure.key !== null;
  toasts.error(hasReason ? failureText(result.failure, t) : t("groups.saveFailed"));
}
