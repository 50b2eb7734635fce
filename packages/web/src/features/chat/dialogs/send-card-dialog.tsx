import { useState } from "react";
import { MessageType } from "@parley/protocol/codes";
import type { ChatKey } from "@parley/core/model/state";
import { parseChatKey } from "@parley/core/model/rows";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useDesk } from "../message/desk.ts";
import { PeoplePicker } from "./people-picker.tsx";
import styles from "./dialogs.module.css";

const NOBODY: readonly ChatKey[] = [];

/** Sends the cards of some friends, a message each. */
export function SendCardDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const contacts = useClientState((state) => state.contacts);
  const me = useClientState((state) => state.me);
  const [chosen, setChosen] = useState(NOBODY);
  const [isMissing, setMissing] = useState(false);
  const send = () => {
    if (chosen.length === 0) {
      setMissing(true);
      return;
    }
    for (const one of chosen) {
      const userId = parseChatKey(one)?.targetId ?? 0;
      const person = userId === me?.id ? me : contacts.friends[userId];
      if (person === undefined) continue;
      const headImage = person.headImageThumb || person.headImage || null;
      const card = { userId, nickName: person.nickName, headImage };
      client.chats.sendContent(desk.key, MessageType.BUSINESS_CARD, JSON.stringify(card));
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
          {isMissing && (
            <span className={styles.problem} role="alert">
              {t("compose.cardNobody")}
            </span>
          )}
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit">
            {t("chat.send")}
          </Button>
        </>
      }
    >
      <PeoplePicker
        label={t("compose.people")}
        hasGroups={false}
        first={NOBODY}
        without={desk.key}
        chosen={chosen}
        onChange={(next) => {
          setChosen(next);
          setMissing(false);
        }}
      />
    </Dialog>
  );
}
