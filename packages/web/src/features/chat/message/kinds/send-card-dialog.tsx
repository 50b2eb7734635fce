import { useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { RecipientPicker } from "../recipient-picker.tsx";
import { sendCard } from "./business-card.tsx";
import styles from "./send-dialogs.module.css";

const NO_RECIPIENTS: readonly ChatKey[] = [];

/** Sends the contact cards of selected friends, one message for each. */
export function SendCardDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const [selected, setSelected] = useState(NO_RECIPIENTS);
  const send = () => {
    if (selected.length === 0) return;
    for (const recipient of selected) {
      const userId = parseChatKey(recipient)?.targetId ?? 0;
      sendCard(client, ui.key, userId);
    }
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("compose.cardTitle")}
      isFlush
      onSubmit={send}
      footer={
        <>
          {selected.length === 0 && <span className={styles.hint}>{t("compose.cardNobody")}</span>}
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit" disabled={selected.length === 0}>
            {t("chat.send")}
          </Button>
        </>
      }
    >
      <RecipientPicker
        label={t("compose.people")}
        hasGroups={false}
        first={NO_RECIPIENTS}
        excluded={ui.key}
        selected={selected}
        onChange={setSelected}
      />
    </Dialog>
  );
}
