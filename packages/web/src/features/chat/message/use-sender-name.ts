import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { memberNameOf } from "../../../kit/group.ts";
import { useText } from "../../../kit/i18n.ts";
import { usePerson } from "../../../kit/person.ts";
import { useClientState } from "../../../kit/use-client.ts";

/** What somebody is called who speaks in this chat: "me", else the name this chat has for them. */
export function useSenderName(chatKey: ChatKey, userId: number, fallback: string | null): string {
  const t = useText();
  const person = usePerson(userId);
  const chat = parseChatKey(chatKey);
  const inGroup = useClientState((state) =>
    chat?.type === ChatType.GROUP ? memberNameOf(state, chat.targetId, userId, fallback, t) : null,
  );
  return person.relation === "me" ? t("chat.me") : (inGroup ?? person.name);
}
