import type { Client } from "@parley/core/client-api";
import { currentText } from "../kit/i18n.ts";
import { toasts } from "../kit/toasts.ts";

/** Says what the core wants said once. */
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
      // Stands in a bar for as long as it holds.
      case "storageRefused":
      // Shown by those who know which chat is looked at.
      case "message":
      case "nudge":
        break;
    }
  });
}
