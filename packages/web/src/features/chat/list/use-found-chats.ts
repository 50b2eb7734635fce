import { useMemo } from "react";
import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import { personName } from "../../../kit/people.ts";
import { useNameMatch } from "../../../kit/pinyin.ts";
import { useClientState } from "../../../kit/use-client.ts";

/** Chats in the list's order whose name holds what is searched for, pinyin and initials included; all of them for nothing. */
export function useFoundChats(filter: string): readonly ChatKey[] {
  const t = useText();
  const order = useClientState((state) => state.chats.order);
  const contacts = useClientState((state) => state.contacts);
  const me = useClientState((state) => state.me);
  const wanted = filter.trim();
  const match = useNameMatch(wanted !== "");
  return useMemo(() => {
    if (wanted === "") return order;
    return order.filter((key) => match.matches(nameOf(key, contacts, me, t), wanted));
  }, [order, contacts, me, t, wanted, match]);
}

function nameOf(key: ChatKey, contacts: State["contacts"], me: State["me"], t: Text): string {
  const chat = parseChatKey(key);
  if (chat === null) return "";
  if (chat.type === ChatType.SYSTEM) return t("chat.system");
  const { targetId: id } = chat;
  return personName(id, contacts.friends[id], me?.id === id ? me : contacts.users[id], t);
}
