import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import { ChatType } from "@parley/protocol/codes";
import type { FoundMessage } from "@parley/core/search/search-query";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { chatNameOf, notesChatNames } from "../chats/chat-name.ts";
import { useText } from "../i18n/i18n.ts";
import type { Translate, TextId } from "../i18n/i18n.ts";
import { visibleChats } from "../chats/chat-order.ts";
import { useNameMatch } from "./pinyin.ts";
import type { NameMatch, Range } from "./pinyin.ts";
import { useClientState } from "../loading/use-client.ts";
import { useMessageSearch } from "./use-message-search.ts";

/** Number of rows in a section of chats, friends or groups at first. */
const NAMES_MAX = 5;
const RECENT_MAX = 8;

/** What a row of a search stands for. */
export type SearchItem =
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
      readonly command: SearchCommand;
      readonly ranges: readonly Range[];
    }
  | { readonly kind: "message"; readonly id: string; readonly result: FoundMessage; readonly name: string }
  /** Shows more of its section. `total`: how many the section has, if that is known and not shown yet. */
  | { readonly kind: "more"; readonly id: string; readonly section: TextId; readonly total: number | null };

/** A section of a search. */
export interface SearchSection {
  readonly title: TextId;
  readonly items: readonly SearchItem[];
}

/** A command that can be found by its name. */
export interface SearchCommand {
  readonly id: string;
  readonly name: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

interface SearchOptions {
  /** Commands to find as well. */
  readonly commands?: readonly SearchCommand[];
  /** Chats that are shown elsewhere, so that no section has them. Otherwise a section has the chats. */
  readonly shownChats?: readonly ChatKey[];
}

/** What a search over everything has found. */
export interface Search {
  readonly sections: readonly SearchSection[];
  readonly isBusy: boolean;
  readonly hasFailed: boolean;
  /** Shows all of a section, or the next page of it. */
  showMore(item: Extract<SearchItem, { kind: "more" }>): void;
}

const NO_COMMANDS: readonly SearchCommand[] = [];

/**
 * The sections of a search: the latest chats for an empty query, else all chats, friends, groups, messages, files and commands that match, a
 * few of each at first.
 */
export function useSearchSections(
  query: string,
  { commands = NO_COMMANDS, shownChats }: SearchOptions = {},
): Search {
  const t = useText();
  const chats = useClientState((state) => state.chats);
  const contacts = useClientState((state) => state.contacts);
  const groups = useClientState((state) => state.groups);
  const me = useClientState((state) => state.me);
  const firstChats = useClientState((state) => state.firstChats);
  const match = useNameMatch(true);
  const messages = useMessageSearch(query, "messages");
  const files = useMessageSearch(query, "files");
  /** The sections of which all is shown, of one query. */
  const [expanded, setExpanded] = useState<{ query: string; titles: readonly TextId[] } | null>(null);
  const names = useMemo(() => {
    const state = { chats, contacts, groups, me, firstChats };
    if (query === "") return [{ title: "search.recent", items: recentChats(state, t) } as const];
    const found = shownChats === undefined ? foundChats(state, query, match, t) : [];
    const excludedKeys = new Set([...(shownChats ?? []), ...found.map(({ key }) => key)]);
    const find = (candidates: readonly Candidate[]) =>
      foundByNames(candidates, state, query, match, excludedKeys, t);
    const notes = shownChats === undefined ? foundNotes(state, query, match, excludedKeys, t) : [];
    return [
      { title: "chat.list", items: [...notes, ...found] },
      { title: "friend.list", items: find(friendCandidates(state)) },
      { title: "search.groups", items: find(groupCandidates(state)) },
    ] as const;
  }, [chats, contacts, groups, me, firstChats, query, match, shownChats, t]);
  const commandItems = useMemo(
    () =>
      commands.flatMap((command): SearchItem[] => {
        const ranges = query === "" ? null : match.ranges(command.name, query);
        return ranges === null ? [] : [{ kind: "command", id: command.id, command, ranges }];
      }),
    [commands, query, match],
  );
  const state = { contacts, groups, me, firstChats };
  const isExpanded = (title: TextId) => expanded?.query === query && expanded.titles.includes(title);
  const all: readonly SearchSection[] = [
    ...names.map(({ title, items }) => {
      if (query === "" || items.length <= NAMES_MAX || isExpanded(title)) return { title, items };
      return { title, items: [...items.slice(0, NAMES_MAX), moreItem(title, items.length)] };
    }),
    { title: "search.messages", items: messageItems("search.messages", messages, state, t) },
    { title: "search.files", items: messageItems("search.files", files, state, t) },
    { title: "search.commands", items: commandItems },
  ];
  return {
    sections: all.filter(({ items }) => items.length > 0),
    isBusy: messages.isBusy || files.isBusy,
    hasFailed: messages.hasFailed || files.hasFailed,
    showMore({ section }) {
      if (section === "search.messages") messages.loadMore();
      else if (section === "search.files") files.loadMore();
      else setExpanded({ query, titles: [...(expanded?.query === query ? expanded.titles : []), section] });
    },
  };
}

function moreItem(section: TextId, total: number | null): SearchItem {
  return { kind: "more", id: `more ${section}`, section, total };
}

function messageItems(
  section: TextId,
  { results, hasMore, total }: ReturnType<typeof useMessageSearch>,
  state: Pick<State, "contacts" | "groups" | "me" | "firstChats">,
  t: Translate,
): readonly SearchItem[] {
  const items = results.map((result): SearchItem => {
    const name = chatNameOf(result.key, state, t);
    return { kind: "message", id: `m${result.key}.${result.message.key}`, result, name };
  });
  return hasMore ? [...items, moreItem(section, total)] : items;
}

type SearchState = Pick<State, "chats" | "contacts" | "groups" | "me" | "firstChats">;
type ChatItem = Extract<SearchItem, { kind: "chat" }>;

function chatItem(key: ChatKey, name: string, ranges: readonly Range[], note = ""): ChatItem {
  return { kind: "chat", id: key, key, name, ranges, note };
}

/** The chats with the latest messages, without the open one. */
function recentChats(state: SearchState, t: Translate): readonly ChatItem[] {
  const { byKey, openKey } = state.chats;
  return visibleChats(state)
    .filter((key) => key !== openKey)
    .toSorted((a, b) => (byKey[b]?.lastSendTime ?? 0) - (byKey[a]?.lastSendTime ?? 0))
    .slice(0, RECENT_MAX)
    .map((key) => chatItem(key, chatNameOf(key, state, t), []));
}

function foundChats(state: SearchState, query: string, match: NameMatch, t: Translate): readonly ChatItem[] {
  return visibleChats(state).flatMap((key) => {
    const name = chatNameOf(key, state, t);
    const ranges = match.ranges(name, query);
    return ranges === null ? [] : [chatItem(key, name, ranges)];
  });
}

/** The chat with oneself, even if it does not exist yet, unless it was already found by its name. */
function foundNotes(
  { me }: SearchState,
  query: string,
  match: NameMatch,
  excludedKeys: ReadonlySet<ChatKey>,
  t: Translate,
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
function friendCandidates({ contacts }: SearchState): readonly Candidate[] {
  return contacts.order.flatMap((id) => {
    const friend = contacts.friends[id];
    const key = chatKey(ChatType.PRIVATE, id);
    return friend === undefined ? [] : [{ key, otherNames: [friend.nickName, friend.userName] }];
  });
}

/** My groups by my remark for them or their own name. */
function groupCandidates({ groups }: SearchState): readonly Candidate[] {
  return groups.order.flatMap((id) => {
    const group = groups.byId[id];
    return group === undefined ? [] : [{ key: chatKey(ChatType.GROUP, id), otherNames: [group.name] }];
  });
}

/** The candidates that match, without those whose chats were already found. If another name matched, it is shown beside the shown one. */
function foundByNames(
  candidates: readonly Candidate[],
  state: SearchState,
  query: string,
  match: NameMatch,
  excludedKeys: ReadonlySet<ChatKey>,
  t: Translate,
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
