import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { memberNameOf } from "../../../kit/group.ts";
import { useText } from "../../../kit/i18n.ts";
import { usePerson } from "../../../kit/person.ts";
import { useClientState } from "../../../kit/use-client.ts";

/** The name of a sender in this chat: "me", the name in the group, or the person's name. */
export function useSenderName(chatKey: ChatKey, userId: number, fallback: string | null): string {
  const t = useText();
  const person = usePerson(userId);
  const chat = parseChatKey(chatKey);
  const memberName = useClientState((state) =>
    chat?.type === ChatType.GROUP ? memberNameOf(state, chat.targetId, userId, fallback, t) : null,
  );
  return person.relation === "me" ? t("chat.me") : (memberName ?? person.name);
}
