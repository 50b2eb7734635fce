import { useState } from "react";
import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/rows";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import type { TextId } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { useDesk } from "../message/desk.ts";
import { focusBeside } from "../message/focus-beside.ts";

/** Asks before messages are deleted for oneself. */
export function DeleteDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const desk = useDesk();
  const me = useClientState((state) => state.me?.id);
  const [stay] = useState(focusBeside);
  const remove = () => {
    desk.set({ chosen: null });
    onClose();
    void client.chats.hide(desk.key, ids).then((done) => {
      if (done.ok) requestAnimationFrame(stay);
      else toasts.failure(done.failure);
    });
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t("compose.deleteTitle", { count: ids.length })}
      body={t(deleteBodyOf(desk.key, me))}
      confirmLabel={t("act.delete")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={remove}
    />
  );
}

/** Who still has a message that I have deleted: in the chat with oneself it is nobody. */
export function deleteBodyOf(key: ChatKey, me: number | undefined): TextId {
  const chat = parseChatKey(key);
  if (chat?.type === ChatType.GROUP) return "compose.deleteGroupBody";
  return chat?.targetId === me ? "compose.deleteSelfBody" : "compose.deleteBody";
}
