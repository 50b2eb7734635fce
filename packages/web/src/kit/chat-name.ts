import { ChatType } from "@parley/protocol/codes";
import type { UserInfo } from "@parley/protocol/entities";
import { chatKey, parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { groupName, useGroup } from "./group.ts";
import { useText } from "./i18n.ts";
import type { Text } from "./i18n.ts";
import { personName, usePerson } from "./person.ts";

/** Decide the colours of signs: the system chat's is the grey one, that of notes to oneself the accent's. */
const SYSTEM_COLOUR = 3;
const NOTES_COLOUR = 0;

/** Whether a chat is the one with oneself. */
export function isNotesChat(key: ChatKey | undefined, me: State["me"]): boolean {
  return me !== null && key === chatKey(ChatType.PRIVATE, me.id);
}

/** By which the chat with oneself is looked for: its name, what it is for, and who one is. */
export function notesChatNames(me: UserInfo, t: Text): readonly string[] {
  return [t("chat.self"), t("chat.notes"), me.nickName, me.userName];
}

/** What a chat is called: the person, the group, or the own name of the system chat and of notes to oneself. */
export function chatNameOf(
  key: ChatKey,
  { contacts, groups, me }: Pick<State, "contacts" | "groups" | "me">,
  t: Text,
): string {
  const chat = parseChatKey(key);
  if (chat === null) return "";
  const { type, targetId: id } = chat;
  if (type === ChatType.SYSTEM) return t("chat.system");
  if (type === ChatType.GROUP) return groupName(id, groups.byId[id], t);
  return me?.id === id ? t("chat.self") : personName(id, { contacts, me }, t);
}

/** Name and picture of a chat. */
export interface ChatAppearance {
  readonly name: string;
  readonly picture: string | null;
  readonly isOnline: boolean;
  /** Decides the colour of its initials. */
  readonly colour: number;
  readonly shape: "circle" | "rounded";
  /** Drawn in place of a picture. */
  readonly sign: "system" | "notes" | null;
}

const NO_PICTURE = { picture: null, isOnline: false, shape: "circle", sign: null } as const;

/** The same with its picture, for rows and headers. */
export function useChatAppearance(key: ChatKey): ChatAppearance {
  const t = useText();
  const chat = parseChatKey(key);
  const id = chat?.targetId ?? 0;
  const person = usePerson(chat?.type === ChatType.PRIVATE ? id : 0);
  const group = useGroup(chat?.type === ChatType.GROUP ? id : 0);
  switch (chat?.type) {
    case ChatType.GROUP:
      return { ...NO_PICTURE, name: group.name, picture: group.picture, colour: id, shape: "rounded" };
    case ChatType.PRIVATE:
      if (person.relation === "me")
        return { ...NO_PICTURE, name: t("chat.self"), colour: NOTES_COLOUR, sign: "notes" };
      return { ...NO_PICTURE, ...person, colour: id };
    default:
      return {
        ...NO_PICTURE,
        name: t("chat.system"),
        colour: SYSTEM_COLOUR,
        shape: "rounded",
        sign: "system",
      };
  }
}
