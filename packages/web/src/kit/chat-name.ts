import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/rows";
import type { Chat, ChatKey, State } from "@parley/core/model/state";
import type { Text } from "./i18n.ts";
import { personName } from "./people.ts";

/** Decides the colour of the system chat's sign: the grey one. */
export const SYSTEM_AVATAR = 3;

/** What a chat is called: the person, or the system chat's own name. */
export function chatName(chat: Pick<Chat, "type" | "targetId">, person: string, t: Text): string {
  if (chat.type === ChatType.SYSTEM) return t("chat.system");
  return chat.type === ChatType.GROUP ? t("chat.group", { id: chat.targetId }) : person;
}

/** The same from the state, for lists of names. */
export function chatNameOf(key: ChatKey, { contacts, me }: Pick<State, "contacts" | "me">, t: Text): string {
  const chat = parseChatKey(key);
  if (chat === null) return "";
  const { targetId: id } = chat;
  return chatName(chat, personName(id, contacts.friends[id], me?.id === id ? me : contacts.users[id], t), t);
}
