import { useMemo } from "react";
import { ChatType } from "@parley/protocol/codes";
import type { FoundMessage } from "@parley/core/client-api";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { chatNameOf, notesChatNames } from "../../kit/chat-name.ts";
import { useText } from "../../kit/i18n.ts";
import type { Text, TextId } from "../../kit/i18n.ts";
import { useNameMatch } from "../../kit/pinyin.ts";
import type { NameMatch, Range } from "../../kit/pinyin.ts";
import { useClientState } from "../../kit/use-client.ts";
import { useCommands } from "./use-commands.tsx";
import type { Command } from "./use-commands.tsx";

/** Rows of a section about names. */
const NAMES_MAX = 5;
const RECENT_MAX = 8;

export type SwitcherItem =
  | {
      readonly kind: "chat";
      readonly id: string;
      readonly key: ChatKey;
      readonly name: string;
      readonly ranges: readonly Range[];
      /** Beside the name, e.g. the nickname of somebody with a remark. */
      readonly note: string;
    }
  | {
      readonly kind: "command";
      readonly id: string;
      readonly command: Command;
      readonly ranges: readonly Range[];
    }
  | { readonly kind: "message"; readonly id: string; readonly find: FoundMessage; readonly name: string }
  | { readonly kind: "more"; readonly id: "more" };

export interface SwitcherSection {
  readonly title: TextId;
  readonly items: readonly SwitcherItem[];
}

interface SwitcherMessages {
  readonly hits: readonly FoundMessage[];
  readonly hasMore: boolean;
}

/** What the switcher offers: the latest chats before anything is typed, then whatever the words find. */
export function useSwitcherItems(query: string, messages: SwitcherMessages): readonly SwitcherSection[] {
  const t = useText();
  const chats = useClientState((state) => state.chats);
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const match = useNameMatch(true);
  const commands = useCommands();
  const names = useMemo(() => {
    const state = { chats, contacts, groups, me };
    if (query === "") return [{ title: "search.recent", items: recentChats(state, t) } as const];
    const found = foundChats(state, query, match, t);
    const known = new Set(found.map(({ key }) => key));
    const notes = foundNotes(state, query, match, known, t);
    return [
      { title: "chat.list", items: [...notes, ...found].slice(0, NAMES_MAX) },
      { title: "friend.list", items: foundFriends(state, query, match, known, t) },
      { title: "search.groups", items: foundGroups(state, query, match, known, t) },
    ] as const;
  }, [chats, contacts, groups, me, query, match, t]);
  const doable = useMemo(
    () =>
      commands.flatMap((command): SwitcherItem[] => {
        const ranges = query === "" ? null : match.ranges(command.name, query);
        return ranges === null ? [] : [{ kind: "command", id: command.id, command, ranges }];
      }),
    [commands, query, match],
  );
  const { hits, hasMore } = messages;
  const said = useMemo(
    () =>
      hits.map((find): SwitcherItem => {
        const name = chatNameOf(find.key, { contacts, groups, me }, t);
        return { kind: "message", id: `m${find.key}.${find.message.key}`, find, name };
      }),
    [hits, contacts, groups, me, t],
  );
  const all: readonly SwitcherSection[] = [
    ...names,
    { title: "search.messages", items: hasMore ? [...said, { kind: "more", id: "more" }] : said },
    { title: "search.commands", items: doable },
  ];
  return all.filter(({ items }) => items.length > 0);
}

type SwitcherState = Pick<State, "chats" | "contacts" | "groups" | "me">;
type ChatItem = Extract<SwitcherItem, { kind: "chat" }>;

function chatItem(key: ChatKey, name: string, ranges: readonly Range[], note = ""): ChatItem {
  return { kind: "chat", id: key, key, name, ranges, note };
}

/** Those one was in last, without the one that is open. */
function recentChats(state: SwitcherState, t: Text): readonly ChatItem[] {
  const { order, byKey, openKey } = state.chats;
  return order
    .filter((key) => key !== openKey)
    .toSorted((a, b) => (byKey[b]?.lastSendTime ?? 0) - (byKey[a]?.lastSendTime ?? 0))
    .slice(0, RECENT_MAX)
    .map((key) => chatItem(key, chatNameOf(key, state, t), []));
}

function foundChats(state: SwitcherState, query: string, match: NameMatch, t: Text): readonly ChatItem[] {
  return state.chats.order.flatMap((key) => {
    const name = chatNameOf(key, state, t);
    const ranges = match.ranges(name, query);
    return ranges === null ? [] : [chatItem(key, name, ranges)];
  });
}

/** The chat with oneself, also before it was begun, unless its name alone has found it. */
function foundNotes(
  { me }: SwitcherState,
  query: string,
  match: NameMatch,
  known: ReadonlySet<ChatKey>,
  t: Text,
): readonly ChatItem[] {
  const key = me === null ? null : chatKey(ChatType.PRIVATE, me.id);
  if (me === null || key === null || known.has(key)) return [];
  const [name = "", ...others] = notesChatNames(me, t);
  const ranges = match.ranges(name, query);
  const other = others.find((one) => match.matches(one, query));
  return ranges === null && other === undefined ? [] : [chatItem(key, name, ranges ?? [], other ?? "")];
}

/** Friends by remark, nickname or user name, without those whose chats were found. */
function foundFriends(
  state: SwitcherState,
  query: string,
  match: NameMatch,
  known: ReadonlySet<ChatKey>,
  t: Text,
): readonly ChatItem[] {
  const found: ChatItem[] = [];
  for (const id of state.contacts.order) {
    const key = chatKey(ChatType.PRIVATE, id);
    const friend = state.contacts.friends[id];
    if (friend === undefined || known.has(key)) continue;
    const name = chatNameOf(key, state, t);
    const ranges = match.ranges(name, query);
    // What matched is shown, when it is not the name itself.
    const other = [friend.nickName, friend.userName].find((one) => one !== name && match.matches(one, query));
    if (ranges === null && other === undefined) continue;
    found.push(chatItem(key, name, ranges ?? [], ranges === null ? other : ""));
    if (found.length === NAMES_MAX) break;
  }
  return found;
}

/** Groups I am in, by my own name for them or their own, without those whose chats were found. */
function foundGroups(
  state: SwitcherState,
  query: string,
  match: NameMatch,
  known: ReadonlySet<ChatKey>,
  t: Text,
): readonly ChatItem[] {
  const found: ChatItem[] = [];
  for (const id of state.groups.order) {
    const key = chatKey(ChatType.GROUP, id);
    const group = state.groups.byId[id];
    if (group === undefined || known.has(key)) continue;
    const name = chatNameOf(key, state, t);
    const ranges = match.ranges(name, query);
    // What matched is shown, when it is not the name itself.
    const isOwnName = ranges === null && match.matches(group.name, query);
    if (ranges === null && !isOwnName) continue;
    found.push(chatItem(key, name, ranges ?? [], isOwnName ? group.name : ""));
    if (found.length === NAMES_MAX) break;
  }
  return found;
}
