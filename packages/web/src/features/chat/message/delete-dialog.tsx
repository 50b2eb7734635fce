import { useState } from "react";
import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import type { TextId } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { startRemoval } from "./start-removal.ts";

/** Asks for confirmation before messages are deleted for me. */
export function DeleteDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const me = useClientState((state) => state.me?.id);
  const [endRemoval] = useState(startRemoval);
  const remove = () => {
    ui.set({ selected: null });
    onClose();
    void client.chats.deleteForMe(ui.key, ids).then(endRemoval);
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
