import { useMemo } from "react";
import { ChatType } from "@parley/protocol/codes";
import type { FoundMessage } from "@parley/core/client-api";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { chatNameOf, notesChatNames } from "../../kit/chat-name.ts";
import { useText } from "../../kit/i18n.ts";
import type { Text, TextId } from "../../kit/i18n.ts";
import { listedChats } from "../../kit/listed-chats.ts";
import { useNameMatch } from "../../kit/pinyin.ts";
import type { NameMatch, Range } from "../../kit/pinyin.ts";
import { useClientState } from "../../kit/use-client.ts";
import { useCommands } from "./use-commands.tsx";
import type { Command } from "./use-commands.tsx";

/** Maximum number of rows in a section of chats, friends or groups. */
const NAMES_MAX = 5;
const RECENT_MAX = 8;

/** What a row of the quick switcher stands for. */
export type SwitcherItem =
  | {
      readonly kind: "chat";
      readonly id: string;
      readonly key: ChatKey;
      readonly name: string;
      readonly ranges: readonly Range[];
      /** Shown beside the name, e.g. the nickname of a friend with a remark. */
      readonly note: string;
    }
  | {
      readonly kind: "command";
      readonly id: string;
      readonly command: Command;
      readonly ranges: readonly Range[];
    }
  | { readonly kind: "message"; readonly id: string; readonly result: FoundMessage; readonly name: string }
  | { readonly kind: "more"; readonly id: "more" };

/** A section of the quick switcher. */
export interface SwitcherSection {
  readonly title: TextId;
  readonly items: readonly SwitcherItem[];
}

interface SwitcherMessages {
  readonly results: readonly FoundMessage[];
  readonly hasMore: boolean;
}

/** The sections of the switcher: the latest chats for an empty query, else everything that matches. */
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
    const excludedKeys = new Set(found.map(({ key }) => key));
    const find = (candidates: readonly Candidate[]) =>
      foundByNames(candidates, state, query, match, excludedKeys, t);
    const notes = foundNotes(state, query, match, excludedKeys, t);
    return [
      { title: "chat.list", items: [...notes, ...found].slice(0, NAMES_MAX) },
      { title: "friend.list", items: find(friendCandidates(state)) },
      { title: "search.groups", items: find(groupCandidates(state)) },
    ] as const;
  }, [chats, contacts, groups, me, query, match, t]);
  const commandItems = useMemo(
    () =>
      commands.flatMap((command): SwitcherItem[] => {
        const ranges = query === "" ? null : match.ranges(command.name, query);
        return ranges === null ? [] : [{ kind: "command", id: command.id, command, ranges }];
      }),
    [commands, query, match],
  );
  const { results, hasMore } = messages;
  const messageItems = useMemo(
    () =>
      results.map((result): SwitcherItem => {
        const name = chatNameOf(result.key, { contacts, groups, me }, t);
        return { kind: "message", id: `m${result.key}.${result.message.key}`, result, name };
      }),
    [results, contacts, groups, me, t],
  );
  const all: readonly SwitcherSection[] = [
    ...names,
    {
      title: "search.messages",
      items: hasMore ? [...messageItems, { kind: "more", id: "more" }] : messageItems,
    },
    { title: "search.commands", items: commandItems },
  ];
  return all.filter(({ items }) => items.length > 0);
}

type SwitcherState = Pick<State, "chats" | "contacts" | "groups" | "me">;
type ChatItem = Extract<SwitcherItem, { kind: "chat" }>;

function chatItem(key: ChatKey, name: string, ranges: readonly Range[], note = ""): ChatItem {
  return { kind: "chat", id: key, key, name, ranges, note };
}

/** The chats with the latest messages, without the open one. */
function recentChats(state: SwitcherState, t: Text): readonly ChatItem[] {
  const { byKey, openKey } = state.chats;
  return listedChats(state)
    .filter((key) => key !== openKey)
    .toSorted((a, b) => (byKey[b]?.lastSendTime ?? 0) - (byKey[a]?.lastSendTime ?? 0))
    .slice(0, RECENT_MAX)
    .map((key) => chatItem(key, chatNameOf(key, state, t), []));
}

function foundChats(state: SwitcherState, query: string, match: NameMatch, t: Text): readonly ChatItem[] {
  return listedChats(state).flatMap((key) => {
    const name = chatNameOf(key, state, t);
    const ranges = match.ranges(name, query);
    return ranges === null ? [] : [chatItem(key, name, ranges)];
  });
}

/** The chat with oneself, even if it does not exist yet, unless it was already found by its name. */
function foundNotes(
  { me }: SwitcherState,
  query: string,
  match: NameMatch,
  excludedKeys: ReadonlySet<ChatKey>,
  t: Text,
): readonly ChatItem[] {
  const key = me === null ? null : chatKey(ChatType.PRIVATE, me.id);
  if (me === null || key === null || excludedKeys.has(key)) return [];
  const [name = "", ...others] = notesChatNames(me, t);
  const ranges = match.ranges(name, query);
  const other = others.find((candidate) => match.matches(candidate, query));
  return ranges === null && other === undefined ? [] : [chatItem(key, name, ranges ?? [], other ?? "")];
}

interface Candidate {
  readonly key: ChatKey;
  /** Names besides the shown one. */
  readonly otherNames: readonly string[];
}

/** Friends by remark, nickname or user name. */
function friendCandidates({ contacts }: SwitcherState): readonly Candidate[] {
  return contacts.order.flatMap((id) => {
    const friend = contacts.friends[id];
    const key = chatKey(ChatType.PRIVATE, id);
    return friend === undefined ? [] : [{ key, otherNames: [friend.nickName, friend.userName] }];
  });
}

/** My groups by my remark for them or their own name. */
function groupCandidates({ groups }: SwitcherState): readonly Candidate[] {
  return groups.order.flatMap((id) => {
    const group = groups.byId[id];
    return group === undefined ? [] : [{ key: chatKey(ChatType.GROUP, id), otherNames: [group.name] }];
  });
}

/** The candidates that match, without those whose chats were already found. If another name matched, it is shown beside the shown one. */
function foundByNames(
  candidates: readonly Candidate[],
  state: SwitcherState,
  query: string,
  match: NameMatch,
  excludedKeys: ReadonlySet<ChatKey>,
  t: Text,
): readonly ChatItem[] {
  const found: ChatItem[] = [];
  for (const { key, otherNames } of candidates) {
    if (excludedKeys.has(key)) continue;
    const name = chatNameOf(key, state, t);
    const ranges = match.ranges(name, query);
    const other = otherNames.find((candidate) => candidate !== name && match.matches(candidate, query));
    if (ranges !== null) found.push(chatItem(key, name, ranges));
    else if (other !== undefined) found.push(chatItem(key, name, [], other));
    if (found.length === NAMES_MAX) break;
  }
  return found;
}
