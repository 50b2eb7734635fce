import type { ConversationDialog } from "./message/conversation-ui.ts";
import { DeleteDialog } from "./message/delete-dialog.tsx";
import { ForwardDialog } from "./message/forward-dialog.tsx";
import { ReadersDialog } from "./message/readers-dialog.tsx";
import { RecallDialog } from "./message/recall-dialog.tsx";

/** The dialog that is open over a conversation. */
export function ConversationDialogs({
  dialog,
  onClose,
}: {
  dialog: ConversationDialog;
  onClose: () => void;
}) {
  switch (dialog.kind) {
    case "delete":
      return <DeleteDialog ids={dialog.ids} onClose={onClose} />;
    case "forward":
      return <ForwardDialog ids={dialog.ids} onClose={onClose} />;
    case "recall":
      return <RecallDialog id={dialog.id} name={dialog.name} onClose={onClose} />;
    case "readers":
      return <ReadersDialog id={dialog.id} onClose={onClose} />;
    case "send":
      return <dialog.Dialog onClose={onClose} onMissing={onClose} />;
  }
}
