import { useState } from "react";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";

/** Asks for confirmation, then clears all chats on the server and here, and reloads the contacts (spec §7). */
export function ClearHistory({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { chats, contacts } = useClient();
  const [isBusy, setBusy] = useState(false);
  const clear = async () => {
    setBusy(true);
    const result = await chats.clearHistory();
    setBusy(false);
    if (!result.ok) {
      toasts.error(t("settings.clearFailed", { reason: failureText(result.failure, t) }));
      return;
    }
    onClose();
    toasts.success(t("settings.cleared"));
    // A failure is not shown: the next connection loads the contacts again.
    await contacts.reload();
  };
  return (
    <ConfirmDialog
      isOpen
      title={t("settings.clearTitle")}
      body={t("settings.clearBody")}
      confirmLabel={t("settings.clearConfirm")}
      cancelLabel={t("app.cancel")}
      isDanger
      isBusy={isBusy}
      onConfirm={() => void clear()}
      onCancel={onClose}
    />
  );
}
