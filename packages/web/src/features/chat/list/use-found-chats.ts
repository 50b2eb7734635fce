import { useMemo } from "react";
import { ChatType } from "@parley/protocol/codes";
import { chatKey, parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { chatNameOf, notesChatNames } from "../../../kit/chats/chat-name.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { visibleChats } from "../../../kit/chats/chat-order.ts";
import { useNameMatch } from "../../../kit/search/pinyin.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";

/** The chats whose name matches the filter, also by pinyin or initials, in the order of the list. An empty filter returns all. */
export function useFoundChats(filter: string): readonly ChatKey[] {
  const t = useText();
  const client = useClient();
  const order = useClientState((state) => state.chats.order);
  const firstChats = useClientState((state) => state.firstChats);
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const query = filter.trim();
  const match = useNameMatch(query !== "");
  return useMemo(() => {
    const visible = visibleChats({
      chats: { ...client.getState().chats, order },
      contacts,
      groups,
      me,
      firstChats,
    });
    if (query === "") return visible;
    const matchesQuery = (name: string | undefined) => name !== undefined && match.matches(name, query);
    const notes = me === null ? null : chatKey(ChatType.PRIVATE, me.id);
    const isNotes = me !== null && notesChatNames(me, t).some(matchesQuery);
    // Also find the chat with oneself while it is empty: the list has no other way to it.
    const all = isNotes && notes !== null && !visible.includes(notes) ? [...visible, notes] : visible;
    return all.filter((key) => {
      if (key === notes) return isNotes;
      const chat = parseChatKey(key);
      // The group's real name, which my remark may hide.
      const group = chat?.type === ChatType.GROUP ? groups.byId[chat.targetId] : undefined;
      return (
        matchesQuery(chatNameOf(key, { contacts, groups, me, firstChats }, t)) || matchesQuery(group?.name)
      );
    });
  }, [client, order, firstChats, contacts, groups, me, t, query, match]);
}
