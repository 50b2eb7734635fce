import { useMemo } from "react";
import { ChatType } from "@parley/protocol/codes";
import { groupVerdict } from "@parley/core/model/selectors";
import { chatKey, parseChatKey } from "@parley/core/model/rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { isOwnChat, ownChatNames } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import { useNameMatch } from "../../../kit/pinyin.ts";
import { useClientState } from "../../../kit/use-client.ts";

/** Whom something can be sent to. */
export interface Receivers {
  /** These stand first, in this order. */
  readonly first: readonly ChatKey[];
  /** One cannot be chosen. */
  readonly without?: ChatKey | undefined;
  /** The groups where I may speak as well. */
  readonly hasGroups: boolean;
}

/** Chats whose names hold the words: first those asked for, then friends and groups as their lists have them, then oneself. */
export function usePeople(filter: string, { first, without, hasGroups }: Receivers): readonly ChatKey[] {
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const t = useText();
  const { matches } = useNameMatch(filter !== "");
  return useMemo(() => {
    const people = contacts.order.map((id) => chatKey(ChatType.PRIVATE, id));
    const rooms = groups.order
      .filter((id) => hasGroups && groupVerdict({ groups }, id, "speak") === "ok")
      .map((id) => chatKey(ChatType.GROUP, id));
    const self = me === null ? [] : [chatKey(ChatType.PRIVATE, me.id)];
    const all = [...people, ...rooms, ...self];
    const known = new Set(all);
    return [...new Set([...first.filter((key) => known.has(key)), ...all])].filter((key) =>
      namesOf(key, { contacts, groups, me }, t).some(
        (name) => key !== without && name !== undefined && matches(name, filter),
      ),
    );
  }, [contacts, groups, me, filter, first, without, hasGroups, matches, t]);
}

/** By which somebody looks for it. */
function namesOf(
  key: ChatKey,
  { contacts, groups, me }: Pick<State, "contacts" | "groups" | "me">,
  t: Text,
): readonly (string | undefined)[] {
  const chat = parseChatKey(key);
  if (chat === null) return [];
  if (chat.type === ChatType.GROUP) {
    const group = groups.byId[chat.targetId];
    return [group?.showGroupName, group?.name];
  }
  if (me !== null && isOwnChat(key, me)) return ownChatNames(me, t);
  const friend = contacts.friends[chat.targetId];
  return [friend?.showNickName, friend?.nickName, friend?.userName];
}
