import { useCallback } from "react";
import type { ChatMessage } from "@parley/core/model/state";
import { copyWithToast } from "../../../kit/copy-text.ts";
import { useClient } from "../../../kit/use-client.ts";
import { copyPicture } from "./media/copy-picture.ts";
import { downloadMedia } from "./media/download-media.ts";
import { toggleSelected, useConversationUi } from "./conversation-ui.ts";
import type { MemberAction } from "./member-actions.ts";
import type { MessageAction } from "./message-actions.ts";
import { startRemoval } from "./start-removal.ts";

/** Returns a function that runs an action on a message of this conversation. Member actions are run by `runMemberAction`, reports by the menu. */
export function useMessageActions(): (
  action: Exclude<MessageAction, MemberAction | "report">,
  message: ChatMessage,
) => void {
  const client = useClient();
  const ui = useConversationUi();
  return useCallback(
    (action, message) => {
      const { key, composer } = ui;
      const { id, tmpId } = message;
      switch (action) {
        case "resend":
          if (tmpId !== null) client.chats.resend(key, tmpId);
          break;
        case "discard":
          if (tmpId !== null) client.chats.discard(key, tmpId);
          break;
        case "copy":
          void copyWithToast(message.content);
          break;
        case "copyPicture":
          void copyPicture(client, message);
          break;
        case "save":
          downloadMedia(client, message);
          break;
        case "choose":
          toggleSelected(ui, message);
          break;
        case "quote":
          if (id === null) break;
          ui.set({ editing: null });
          client.chats.setQuote(key, id);
          composer.current?.focus();
          break;
        case "edit":
          ui.set({ editing: message });
          break;
        case "forward":
          if (id !== null) ui.set({ dialog: { kind: "forward", ids: [id] } });
          break;
        case "delete":
          if (id !== null) ui.set({ dialog: { kind: "delete", ids: [id] } });
          break;
        case "readers":
          if (id !== null) ui.set({ dialog: { kind: "readers", id } });
          break;
        case "recall":
          if (id === null) break;
          if (message.selfSend) void client.chats.recall(key, id).then(startRemoval());
          else ui.set({ dialog: { kind: "recall", id, name: message.sendNickName } });
          break;
      }
    },
    [client, ui],
  );
}
