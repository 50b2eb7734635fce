import { useLayoutEffect, useRef } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { isOutsideWindow } from "../message/current-message.ts";
import { MESSAGE_ACTIONS, actionLimits } from "../message/message-actions.ts";

/** Continues the edit that was left unfinished in this chat once its message is loaded; drops it if the message can no longer be edited. */
export function useUnsentEdit(chat: Chat, onEdit: (message: ChatMessage) => void): void {
  const client = useClient();
  const config = useClientState((state) => state.config);
  // Read once: an edit that another tab begins later belongs to that tab.
  const pendingEdit = useRef(chat.draftEdit);
  useLayoutEffect(() => {
    const { key, window } = chat;
    const edit = pendingEdit.current;
    if (edit === null || window.messages.length === 0) return;
    const found = window.messages.find((message) => message.id === edit.id);
    const limits = actionLimits(client.getState(), Date.now(), true);
    const isEditable = found !== undefined && MESSAGE_ACTIONS.edit.isOffered(found, limits);
    // The configuration of the server may allow more time than the default; the message may be outside the loaded window.
    const canStillArrive = found === undefined ? isOutsideWindow(edit.id, window) : config === null;
    if (!isEditable && canStillArrive) return;
    pendingEdit.current = null;
    if (isEditable) onEdit(found);
    else client.chats.setDraftEdit(key, null);
  }, [chat, config, client, onEdit]);
}
