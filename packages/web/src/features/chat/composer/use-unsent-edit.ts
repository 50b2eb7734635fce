import { useLayoutEffect, useRef } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { mayLieBeyond } from "../message/as-it-stands.ts";
import { actLimits, actsOf } from "../message/message-acts.ts";

/** Goes on with the edit that was left in this chat, as soon as its message is there; drops it when that can no longer be edited. */
export function useUnsentEdit(chat: Chat, onEdit: (message: ChatMessage) => void): void {
  const client = useClient();
  const config = useClientState((state) => state.config);
  // One that another tab begins now is that tab's.
  const left = useRef(chat.draftEdit);
  useLayoutEffect(() => {
    const { key, window } = chat;
    const edit = left.current;
    if (edit === null || window.messages.length === 0) return;
    const found = window.messages.find((message) => message.id === edit.id);
    const limits = actLimits(config, Date.now(), true);
    const isEditable = found !== undefined && actsOf(found, limits).includes("edit");
    // The server may allow more time than is usual; a message may lie where nobody has looked yet.
    const mayCome = found === undefined ? mayLieBeyond(edit.id, window) : config === null;
    if (!isEditable && mayCome) return;
    left.current = null;
    if (isEditable) onEdit(found);
    else client.chats.setDraftEdit(key, null);
  }, [chat, config, client, onEdit]);
}
