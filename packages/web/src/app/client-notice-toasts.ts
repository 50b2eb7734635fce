import type { Client } from "@parley/core/client-api";
import type { BroadcastCounts } from "@parley/core/model/broadcast/broadcast";
import { broadcastResult } from "../kit/chats/broadcast-result.ts";
import { currentText } from "../kit/i18n/i18n.ts";
import { currentDialogRequest, openDialog } from "../kit/dialogs/open-dialog.ts";
import { toasts } from "../kit/dialogs/toasts.ts";

/** Shows the core's notices as toasts. */
export function startClientNoticeToasts(client: Client): void {
  client.onNotice((notice) => {
    const t = currentText();
    switch (notice.kind) {
      case "failure":
        toasts.failure(notice.failure);
        break;
      case "connectionLost":
        toasts.error(t("connection.reconnecting"));
        break;
      case "fileNotStored":
        toasts.long(t("attach.notStored"));
        break;
      case "passwordNotKept":
        toasts.long(t("login.notKept"));
        break;
      case "callsNotLoaded":
        toasts.long(t("app.chunkFailed"));
        break;
      case "broadcastEnded":
        showBroadcastResult(notice.counts);
        break;
      // A bar shows it for as long as it is true.
      case "storageRefused":
      // Handled by the notifications and the nudge animation.
      case "message":
      case "reaction":
      case "nudge":
      // Shown by the code of calls.
      case "callEnded":
      case "callPersonLeft":
        break;
    }
  });
}

/** Says how a broadcast has ended, unless its dialog is open and says so itself. */
function showBroadcastResult(counts: BroadcastCounts): void {
  if (currentDialogRequest()?.kind === "broadcast") return;
  const t = currentText();
  const { text, isSuccess } = broadcastResult(counts, t);
  if (isSuccess) toasts.success(text);
  else toasts.problem(text, { label: t("broadcast.show"), run: () => openDialog({ kind: "broadcast" }) });
}
