import { useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient } from "../../../kit/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useDesk } from "../message/desk.ts";
import { PeoplePicker } from "./people-picker.tsx";

/** Sends copies of messages to the people and groups chosen, one message after the other. */
export function ForwardDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const [chosen, setChosen] = useState<readonly ChatKey[]>([]);
  // Whom one talks with stands first, as the list stood when the dialog opened.
  const [recent] = useState(() => client.getState().chats.order);
  const send = () => {
    if (chosen.length === 0) return;
    desk.set({ chosen: null });
    onClose();
    void client.chats.forward(desk.key, ids, chosen).then((done) => {
      if (done.ok) toasts.success(t("compose.forwarded", { count: chosen.length }));
      else toasts.failure(done.failure);
    });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("compose.forwardTitle", { count: ids.length })}
      isFlush
      onSubmit={send}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit" disabled={chosen.length === 0}>
            {chosen.length === 0 ? t("chat.send") : t("compose.sendTo", { count: chosen.length })}
          </Button>
        </>
      }
    >
      <PeoplePicker
        label={t("compose.receivers")}
        hasGroups
        first={recent}
        chosen={chosen}
        onChange={setChosen}
      />
    </Dialog>
  );
}
