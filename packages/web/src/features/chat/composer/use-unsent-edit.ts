import { useLayoutEffect, useRef } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { isOutsideWindow } from "../message/current-message.ts";
import { actionLimits, allowedActions } from "../message/message-actions.ts";

/** Goes on with the edit that was left in this chat, as soon as its message is there; drops it when that can no longer be edited. */
export function useUnsentEdit(chat: Chat, onEdit: (message: ChatMessage) => void): void {
  const client = useClient();
  const config = useClientState((state) => state.config);
  // One that another tab begins now is that tab's.
  const pendingEdit = useRef(chat.draftEdit);
  useLayoutEffect(() => {
    const { key, window } = chat;
    const edit = pendingEdit.current;
    if (edit === null || window.messages.length === 0) return;
    const found = window.messages.find((message) => message.id === edit.id);
    const limits = actionLimits(config, Date.now(), true);
    const isEditable = found !== undefined && allowedActions(found, limits).includes("edit");
    // The server may allow more time than is usual; a message may lie where nobody has looked yet.
    const canStillArrive = found === undefined ? isOutsideWindow(edit.id, window) : config === null;
    if (!isEditable && canStillArrive) return;
    pendingEdit.current = null;
    if (isEditable) onEdit(found);
    else client.chats.setDraftEdit(key, null);
  }, [chat, config, client, onEdit]);
}
