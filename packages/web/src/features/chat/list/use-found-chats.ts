import { useMemo } from "react";
import { ChatType } from "@parley/protocol/codes";
import { chatKey, parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { chatNameOf, notesChatNames } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import { useNameMatch } from "../../../kit/pinyin.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";

/** Chats in the list's order whose name holds what is searched for, pinyin and initials included; all of them for nothing. */
export function useFoundChats(filter: string): readonly ChatKey[] {
  const t = useText();
  const client = useClient();
  const listed = useClientState((state) => state.chats.order);
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const wanted = filter.trim();
  const match = useNameMatch(wanted !== "");
  return useMemo(() => {
    const order = groups.isLoaded ? listed.filter((key) => !isStray(client.getState(), key)) : listed;
    if (wanted === "") return order.length === listed.length ? listed : order;
    const found = (name: string | undefined) => name !== undefined && match.matches(name, wanted);
    const notes = me === null ? null : chatKey(ChatType.PRIVATE, me.id);
    const isNotes = me !== null && notesChatNames(me, t).some(found);
    // Also before it was begun: nothing else in the list leads there.
    const all = isNotes && notes !== null && !order.includes(notes) ? [...order, notes] : order;
    return all.filter((key) => {
      if (key === notes) return isNotes;
      const chat = parseChatKey(key);
      // Behind my own name for a group.
      const group = chat?.type === ChatType.GROUP ? groups.byId[chat.targetId] : undefined;
      return found(chatNameOf(key, { contacts, groups, me }, t)) || found(group?.name);
    });
  }, [client, listed, contacts, groups, me, t, wanted, match]);
}

/** A group I was never in, whose address somebody has opened: nothing stands in its chat. */
function isStray({ chats, groups }: State, key: ChatKey): boolean {
  const target = parseChatKey(key);
  if (target?.type !== ChatType.GROUP || groups.byId[target.targetId] !== undefined) return false;
  const chat = chats.byKey[key];
  return (
    chat !== undefined && chat.sync.newest === null && chat.draft === "" && chat.window.messages.length === 0
  );
}
