import { useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { chatPath } from "../../kit/chats/show-message.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { attachFiles } from "./composer/attachments/attach-files.ts";
import { RecipientPicker } from "./message/recipient-picker.tsx";

interface ShareDialogProps {
  text: string;
  files: readonly File[];
  onClose: () => void;
}

/** Asks for the chat that gets what another app shares. Text and files are added to its draft, so that nothing is sent by itself. */
export function ShareDialog({ text, files, onClose }: ShareDialogProps) {
  const t = useText();
  const client = useClient();
  const [chosen, setChosen] = useState<ChatKey | null>(null);
  // Recent chats come first. The order is read once, so that rows do not move while the dialog is open.
  const [recent] = useState(() => client.getState().chats.order);
  const share = () => {
    if (chosen === null) return;
    onClose();
    client.chats.open(chosen);
    const draft = client.getState().chats.byKey[chosen]?.draft ?? "";
    if (text !== "") client.chats.setDraft(chosen, draft === "" ? text : `${draft}\n${text}`);
    if (files.length > 0) void attachFiles(client, chosen, { files, hasFolder: false, isFile: false });
    goDown(chatPath(chosen));
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("share.title")}
      isFlush
      onSubmit={share}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit" disabled={chosen === null}>
            {t("share.add")}
          </Button>
        </>
      }
    >
      <RecipientPicker
        label={t("compose.receivers")}
        hasGroups
        first={recent}
        selected={chosen === null ? [] : [chosen]}
        onChange={(selected) => setChosen(selected.at(-1) ?? null)}
      />
    </Dialog>
  );
}
