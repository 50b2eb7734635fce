import { useText } from "../../../../kit/i18n/i18n.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { useConversationUi } from "../conversation-ui.ts";

interface ClosePollDialogProps {
  id: number;
  /** It is a sign-up list. */
  isList: boolean;
  onClose: () => void;
}

/** Asks for confirmation before a poll ends, which cannot be undone. */
export function ClosePollDialog({ id, isList, onClose }: ClosePollDialogProps) {
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
      title={t(isList ? "signUp.closeTitle" : "poll.closeTitle")}
      body={t(isList ? "signUp.closeBody" : "poll.closeBody")}
      confirmLabel={t(isList ? "signUp.close" : "poll.close")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={() => void close()}
    />
  );
}
