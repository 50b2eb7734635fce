import { useMemo } from "react";
import { ChatType } from "@parley/protocol/codes";
import { groupPermission } from "@parley/core/model/selectors";
import { chatKey, parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { isNotesChat, notesChatNames } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import { useNameMatch } from "../../../kit/pinyin.ts";
import { useClientState } from "../../../kit/use-client.ts";

/** Which chats a recipient list offers, and in which order. */
export interface RecipientOptions {
  /** These come first, in this order. */
  readonly first: readonly ChatKey[];
  /** This chat is not offered. */
  readonly excluded?: ChatKey | undefined;
  /** Also offer groups in which I may write. */
  readonly hasGroups: boolean;
}

/** Chats whose names match the filter: those of `first`, then friends and groups in the order of their lists, then oneself. */
export function useRecipients(
  filter: string,
  { first, excluded, hasGroups }: RecipientOptions,
): readonly ChatKey[] {
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const t = useText();
  const { matches } = useNameMatch(filter !== "");
  return useMemo(() => {
    const friendKeys = contacts.order.map((id) => chatKey(ChatType.PRIVATE, id));
    const groupKeys = groups.order
      .filter((id) => hasGroups && groupPermission({ groups }, id, "speak") === "ok")
      .map((id) => chatKey(ChatType.GROUP, id));
    const self = me === null ? [] : [chatKey(ChatType.PRIVATE, me.id)];
    const all = [...friendKeys, ...groupKeys, ...self];
    const known = new Set(all);
    return [...new Set([...first.filter((key) => known.has(key)), ...all])].filter((key) =>
      searchableNames(key, { contacts, groups, me }, t).some(
        (name) => key !== excluded && name !== undefined && matches(name, filter),
      ),
    );
  }, [contacts, groups, me, filter, first, excluded, hasGroups, matches, t]);
}

/** The names by which a chat can be found. */
function searchableNames(
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
  if (me !== null && isNotesChat(key, me)) return notesChatNames(me, t);
  const friend = contacts.friends[chat.targetId];
  return [friend?.showNickName, friend?.nickName, friend?.userName];
}
