import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { groupName, useGroup } from "./groups.ts";
import { useText } from "./i18n.ts";
import type { Text } from "./i18n.ts";
import { personName, usePerson } from "./people.ts";

/** Decides the colour of the system chat's sign: the grey one. */
export const SYSTEM_AVATAR = 3;

/** What a chat is called: the person, the group, or the system chat's own name. */
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
  return personName(id, contacts.friends[id], me?.id === id ? me : contacts.users[id], t);
}

/** Name and picture of a chat. */
export interface ChatLook {
  readonly name: string;
  readonly picture: string | null;
  readonly isOnline: boolean;
  /** Decides the colour of its initials. */
  readonly colour: number;
  readonly shape: "circle" | "rounded";
}

/** The same with its picture, for rows and headers. */
export function useChatLook(key: ChatKey): ChatLook {
  const t = useText();
  const chat = parseChatKey(key);
  const id = chat?.targetId ?? 0;
  const person = usePerson(chat?.type === ChatType.PRIVATE ? id : 0);
  const group = useGroup(chat?.type === ChatType.GROUP ? id : 0);
  switch (chat?.type) {
    case ChatType.GROUP:
      return { name: group.name, picture: group.picture, isOnline: false, colour: id, shape: "rounded" };
    case ChatType.PRIVATE:
      return { ...person, colour: id, shape: "circle" };
    default:
      return {
        name: t("chat.system"),
        picture: null,
        isOnline: false,
        colour: SYSTEM_AVATAR,
        shape: "rounded",
      };
  }
}
