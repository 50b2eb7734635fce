import { useCallback } from "react";
import type { ChatMessage } from "@parley/core/model/state";
import { copyAndTell } from "../../../kit/copy-text.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient } from "../../../kit/use-client.ts";
import { toggleChosen, useDesk } from "./desk.ts";
import { focusBeside } from "./focus-beside.ts";
import type { MemberAct } from "./member-acts.ts";
import type { MessageAct } from "./message-acts.ts";

/** Does one of the acts with a message of this conversation; what is done with its sender is another matter. */
export function useMessageActs(): (act: Exclude<MessageAct, MemberAct>, message: ChatMessage) => void {
  const client = useClient();
  const desk = useDesk();
  return useCallback(
    (act, message) => {
      const { key, composer } = desk;
      const { id, tmpId } = message;
      switch (act) {
        case "resend":
          if (tmpId !== null) client.chats.resend(key, tmpId);
          break;
        case "discard":
          if (tmpId !== null) client.chats.discard(key, tmpId);
          break;
        case "copy":
          void copyAndTell(message.content);
          break;
        case "choose":
          toggleChosen(desk, message);
          break;
        case "quote":
          if (id === null) break;
          desk.set({ editing: null });
          client.chats.setQuote(key, id);
          composer.current?.focus();
          break;
        case "edit":
          desk.set({ editing: message });
          break;
        case "forward":
          if (id !== null) desk.set({ dialog: { kind: "forward", ids: [id] } });
          break;
        case "delete":
          if (id !== null) desk.set({ dialog: { kind: "delete", ids: [id] } });
          break;
        case "readers":
          if (id !== null) desk.set({ dialog: { kind: "readers", id } });
          break;
        case "recall": {
          if (id === null) break;
          if (!message.selfSend) {
            desk.set({ dialog: { kind: "recall", id, name: message.sendNickName } });
            break;
          }
          const stay = focusBeside();
          void client.chats.recall(key, id).then((done) => {
            if (done.ok) requestAnimationFrame(stay);
            else toasts.failure(done.failure);
          });
          break;
        }
      }
    },
    [client, desk],
  );
}
