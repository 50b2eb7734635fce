import { useText } from "../../../../kit/i18n/i18n.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { useConversationUi } from "../conversation-ui.ts";

/** Asks for confirmation before a poll ends, which cannot be undone. */
export function ClosePollDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const { chats } = useClient();
  const ui = useConversationUi();
  const close = async () => {
    onClose();
    const result = await chats.closePoll(ui.key, id);
    if (!result.ok) toasts.failure(result.failure);
  };
  return (
    <ConfirmDialog
      isOpen
      title={t("poll.closeTitle")}
      body={t("poll.closeBody")}
      confirmLabel={t("poll.close")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={() => void close()}
    />
  );
}
