import { ChatType } from "@parley/protocol/codes";
import type { UserInfo } from "@parley/protocol/entities";
import { chatKey, parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { groupName, useGroup } from "./group.ts";
import { useText } from "../i18n/i18n.ts";
import type { Translate } from "../i18n/i18n.ts";
import { personName, usePerson } from "../people/person.ts";

/** Ids that give the icons their colours: grey for the system chat, the accent colour for notes to oneself. */
const SYSTEM_COLOUR = 3;
const NOTES_COLOUR = 0;

/** Whether a chat is the one with oneself. */
export function isNotesChat(key: ChatKey | undefined, me: State["me"]): boolean {
  return me !== null && key === chatKey(ChatType.PRIVATE, me.id);
}

/** Texts by which a search finds the chat with oneself: its name, its purpose and the person's own names. */
export function notesChatNames(me: UserInfo, t: Translate): readonly string[] {
  return [t("chat.self"), t("chat.notes"), me.nickName, me.userName];
}

/** Name of a chat: that of the person or the group; the system chat and notes to oneself have names of their own. */
export function chatNameOf(
  key: ChatKey,
  {
    contacts,
    groups,
    me,
    firstChats,
  }: Pick<State, "contacts" | "groups" | "me"> & Partial<Pick<State, "firstChats">>,
  t: Translate,
): string {
  const chat = parseChatKey(key);
  if (chat === null) return "";
  const { type, targetId: id } = chat;
  if (type === ChatType.SYSTEM) return t("chat.system");
  if (type === ChatType.GROUP) {
    const group = groups.byId[id];
    return (group === undefined && firstChats?.byKey[key]?.name) || groupName(id, group, t);
  }
  return me?.id === id ? t("chat.self") : personName(id, { contacts, me, firstChats: firstChats ?? null }, t);
}

/** Name and picture of a chat. */
export interface ChatAppearance {
  readonly name: string;
  readonly picture: string | null;
  readonly isOnline: boolean;
  /** Id that decides the colour of the initials. */
  readonly colour: number;
  readonly shape: "circle" | "rounded";
  /** Icon shown instead of a picture. */
  readonly sign: "system" | "notes" | null;
}

const NO_PICTURE = { picture: null, isOnline: false, shape: "circle", sign: null } as const;

/** Name and picture of a chat, for rows and headers. */
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
