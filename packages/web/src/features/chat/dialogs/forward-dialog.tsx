import { useMemo, useState } from "react";
import { ChatType } from "@parley/protocol/codes";
import { chatKey, parseChatKey } from "@parley/core/model/rows";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient } from "../../../kit/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useDesk } from "../message/desk.ts";
import { PeoplePicker } from "./people-picker.tsx";

/** Sends copies of messages to the people chosen, one message after the other. */
export function ForwardDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  // People one talks with stand first, as they stood when the dialog opened.
  const recent = useMemo(
    () =>
      client.getState().chats.order.flatMap((key) => {
        const chat = parseChatKey(key);
        return chat?.type === ChatType.PRIVATE ? [chat.targetId] : [];
      }),
    [client],
  );
  const send = () => {
    if (chosen.length === 0) return;
    desk.set({ chosen: null });
    onClose();
    const to = chosen.map((id) => chatKey(ChatType.PRIVATE, id));
    void client.chats.forward(desk.key, ids, to).then((done) => {
      if (done.ok) toasts.success(t("compose.forwarded", { count: to.length }));
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
      <PeoplePicker label={t("compose.people")} first={recent} chosen={chosen} onChange={setChosen} />
    </Dialog>
  );
}
