import type { Client } from "@parley/core/client-api";
import { broadcastResult } from "../kit/broadcast-result.ts";
import { currentDialogRequest, openDialog } from "../kit/open-dialog.ts";
import { currentText } from "../kit/i18n.ts";
import { toasts } from "../kit/toasts.ts";

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
      case "callsNotLoaded":
        toasts.long(t("app.chunkFailed"));
        break;
      case "broadcastEnded": {
        // The open dialog shows the result itself.
        if (currentDialogRequest()?.kind === "broadcast") break;
        const show = { label: t("broadcast.show"), run: () => openDialog({ kind: "broadcast" }) };
        const { text, isSuccess } = broadcastResult(notice.counts, t);
        if (isSuccess) toasts.success(text);
        else toasts.problem(text, show);
        break;
      }
      // A bar shows it for as long as it is true.
      case "storageRefused":
      // Handled by the notifications and the nudge animation.
      case "message":
      case "nudge":
      // Shown by the code of calls.
      case "callEnded":
      case "callPersonLeft":
        break;
    }
  });
}
