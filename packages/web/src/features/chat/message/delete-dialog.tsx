import { useState } from "react";
import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import type { TextId } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { focusNeighbour } from "./focus-neighbour.ts";

/** Asks for confirmation before messages are deleted for me. */
export function DeleteDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const me = useClientState((state) => state.me?.id);
  const [restoreFocus] = useState(focusNeighbour);
  const remove = () => {
    ui.set({ selected: null });
    onClose();
    void client.chats.deleteForMe(ui.key, ids).then((result) => {
      if (result.ok) requestAnimationFrame(restoreFocus);
      else toasts.failure(result.failure);
    });
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t("compose.deleteTitle", { count: ids.length })}
      body={t(deleteDialogText(ui.key, me))}
      confirmLabel={t("act.delete")}
      cancelLabel={t("app.cancel")}
      onCancel={onClose}
      onConfirm={remove}
    />
  );
}

/** The text that says who keeps the deleted messages: the other person, the group, or nobody in the chat with oneself. */
export function deleteDialogText(key: ChatKey, me: number | undefined): TextId {
  const chat = parseChatKey(key);
  if (chat?.type === ChatType.GROUP) return "compose.deleteGroupBody";
  return chat?.targetId === me ? "compose.deleteSelfBody" : "compose.deleteBody";
}
