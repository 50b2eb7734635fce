import { useMemo } from "react";
import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/rows";
import type { ChatKey } from "@parley/core/model/state";
import { chatNameOf } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import { useNameMatch } from "../../../kit/pinyin.ts";
import { useClientState } from "../../../kit/use-client.ts";

/** Chats in the list's order whose name holds what is searched for, pinyin and initials included; all of them for nothing. */
export function useFoundChats(filter: string): readonly ChatKey[] {
  const t = useText();
  const order = useClientState((state) => state.chats.order);
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const wanted = filter.trim();
  const match = useNameMatch(wanted !== "");
  return useMemo(() => {
    if (wanted === "") return order;
    const found = (name: string | undefined) => name !== undefined && match.matches(name, wanted);
    return order.filter((key) => {
      const chat = parseChatKey(key);
      // Behind my own name for a group.
      const group = chat?.type === ChatType.GROUP ? groups.byId[chat.targetId] : undefined;
      return found(chatNameOf(key, { contacts, groups, me }, t)) || found(group?.name);
    });
  }, [order, contacts, groups, me, t, wanted, match]);
}
