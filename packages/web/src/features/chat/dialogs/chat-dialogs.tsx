import type { ChatDialog } from "../message/desk.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { ForwardDialog } from "./forward-dialog.tsx";
import { ReadersDialog } from "./readers-dialog.tsx";
import { RecallDialog } from "./recall-dialog.tsx";
import { SendCardDialog } from "./send-card-dialog.tsx";
import { SendLocationDialog } from "./send-location-dialog.tsx";

/** The question or choice that a conversation asks for. */
export function ChatDialogs({ dialog, onClose }: { dialog: ChatDialog; onClose: () => void }) {
  switch (dialog.kind) {
    case "delete":
      return <DeleteDialog ids={dialog.ids} onClose={onClose} />;
    case "forward":
      return <ForwardDialog ids={dialog.ids} onClose={onClose} />;
    case "recall":
      return <RecallDialog id={dialog.id} name={dialog.name} onClose={onClose} />;
    case "readers":
      return <ReadersDialog id={dialog.id} onClose={onClose} />;
    case "sendCard":
      return <SendCardDialog onClose={onClose} />;
    case "sendLocation":
      return <SendLocationDialog onClose={onClose} />;
  }
}
