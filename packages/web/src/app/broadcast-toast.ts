import type { BroadcastCounts } from "@parley/core/model/broadcast/broadcast";
import { broadcastResult } from "../kit/chats/broadcast-result.ts";
import { currentText } from "../kit/i18n/i18n.ts";
import { currentDialogRequest, openDialog } from "../kit/dialogs/open-dialog.ts";
import { toasts } from "../kit/dialogs/toasts.ts";

/** Says how a broadcast has ended, unless its dialog is open and says so itself. */
export function showBroadcastResult(counts: BroadcastCounts): void {
  if (currentDialogRequest()?.kind === "broadcast") return;
  const t = currentText();
  const { text, isSuccess } = broadcastResult(counts, t);
  if (isSuccess) toasts.success(text);
  else toasts.problem(text, { label: t("broadcast.show"), run: () => openDialog({ kind: "broadcast" }) });
}
