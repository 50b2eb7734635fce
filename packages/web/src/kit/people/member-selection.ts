import { GroupRole } from "@parley/protocol/codes";
import type { FriendVO, GroupMemberVO } from "@parley/protocol/entities";
import type { State } from "@parley/core/model/state";
import { memberNameOf } from "../chats/group.ts";
import type { Translate, TextId } from "../i18n/i18n.ts";

/** A person who can be selected (spec §3, §5). */
export interface SelectorEntry {
  readonly userId: number;
  readonly showNickName: string;
  readonly headImage: string | null;
  readonly online: boolean;
  /** Selected when the selector opens. */
  readonly checked: boolean;
  /** Cannot be changed, selected or not. */
  readonly locked: boolean;
  readonly hide: boolean;
  readonly quit: boolean;
  /** Further names that the search finds, e.g. the nickname behind a remark. */
  readonly otherNames?: readonly string[];
  /** A text at the end of the row, e.g. the role or why it is locked. */
  readonly note?: string;
}

/** Ids in the order of selection. */
export type SelectedIds = readonly number[];

type Matches = (name: string, query: string) => boolean;

/** The shown entries: without hidden people and those who have left. */
export function visibleEntries(entries: readonly SelectorEntry[]): readonly SelectorEntry[] {
  return entries.filter((entry) => !entry.hide && !entry.quit);
}

/** The shown entries that match the query. */
export function matchingEntries(
  entries: readonly SelectorEntry[],
  query: string,
  matches: Matches,
): readonly SelectorEntry[] {
  return visibleEntries(entries).filter((entry) =>
    [entry.showNickName, ...(entry.otherNames ?? [])].some((name) => matches(name, query)),
  );
}

/** The ids that are selected when the selector opens, without locked ones. */
export function initialSelection(entries: readonly SelectorEntry[]): SelectedIds {
  return visibleEntries(entries).flatMap(({ userId, checked, locked }) =>
    checked && !locked ? [userId] : [],
  );
}

/** What somebody has changed of a selection. */
export interface SelectionChanges {
  readonly added: SelectedIds;
  readonly removed: SelectedIds;
}

/** The entries that were added to the initial selection, and those that were removed from it. */
export function selectionChanges(initial: SelectedIds, selected: SelectedIds): SelectionChanges {
  return { added: without(selected, initial), removed: without(initial, selected) };
}

/** The selection with these changes, also if the initial one has become another since they were made. */
export function changedSelection(initial: SelectedIds, { added, removed }: SelectionChanges): SelectedIds {
  return [...without(initial, removed), ...without(added, initial)];
}

function without(ids: SelectedIds, others: SelectedIds): SelectedIds {
  const leftOut = new Set(others);
  return ids.filter((id) => !leftOut.has(id));
}

/** The selected entries: locked ones first, then in the order of selection. Leaves out people who have left since. */
export function selectedEntries(
  entries: readonly SelectorEntry[],
  selectedIds: SelectedIds,
): readonly SelectorEntry[] {
  const shown = visibleEntries(entries);
  const byId = new Map(shown.map((entry) => [entry.userId, entry]));
  const unlocked = selectedIds.flatMap((id) => {
    const entry = byId.get(id);
    return entry === undefined || entry.locked ? [] : [entry];
  });
  return [...shown.filter((entry) => entry.locked && entry.checked), ...unlocked];
}

/** Selects or deselects a person. `isOver`: this would exceed the maximum, so the selection did not change. */
export function toggleEntry(
  entries: readonly SelectorEntry[],
  selectedIds: SelectedIds,
  userId: number,
  maxSize: number,
): { readonly selectedIds: SelectedIds; readonly isOver: boolean } {
  const entry = visibleEntries(entries).find((candidate) => candidate.userId === userId);
  if (entry === undefined || entry.locked) return { selectedIds, isOver: false };
  if (selectedIds.includes(userId))
    return { selectedIds: selectedIds.filter((id) => id !== userId), isOver: false };
  const next = [...selectedIds, userId];
  return selectedEntries(entries, next).length > maxSize
    ? { selectedIds, isOver: true }
    : { selectedIds: next, isOver: false };
}

type EntryFlags = Partial<Pick<SelectorEntry, "checked" | "locked" | "hide" | "note">>;

const NO_FLAGS = { checked: false, locked: false, hide: false } as const;

/** All friends, in the order of the friend list. */
export function friendEntries(
  { contacts }: Pick<State, "contacts">,
  flagsOf: (friend: FriendVO) => EntryFlags = () => ({}),
): readonly SelectorEntry[] {
  return contacts.order.flatMap((id) => {
    const friend = contacts.friends[id];
    if (friend === undefined) return [];
    return [
      {
        ...NO_FLAGS,
        userId: id,
        showNickName: friend.showNickName,
        headImage: friend.headImageThumb ?? friend.headImage,
        online: (contacts.online[id]?.length ?? 0) > 0,
        quit: false,
        otherNames: [friend.nickName, friend.userName],
        ...flagsOf(friend),
      },
    ];
  });
}

/** All loaded members of a group, in their order. Owner and admins have their role as a note. */
export function memberEntries(
  state: Pick<State, "contacts" | "groups" | "me" | "session">,
  groupId: number,
  t: Translate,
  flagsOf: (member: GroupMemberVO) => EntryFlags = () => ({}),
): readonly SelectorEntry[] {
  const members = state.groups.members[groupId];
  if (members === undefined) return [];
  return members.order.flatMap((id) => {
    const member = members.byId[id];
    if (member === undefined) return [];
    const role = roleText(member.role);
    const friend = state.contacts.friends[id];
    const otherNames = [member.showNickName, ...(friend ? [friend.nickName, friend.userName] : [])];
    return [
      {
        ...NO_FLAGS,
        userId: id,
        showNickName: memberNameOf(state, groupId, id, null, t),
        headImage: member.headImage,
        online: member.online,
        quit: member.quit,
        otherNames,
        ...(role !== null && { note: t(role) }),
        ...flagsOf(member),
      },
    ];
  });
}

function roleText(role: number): TextId | null {
  if (role === GroupRole.OWNER) return "role.owner";
  return role === GroupRole.ADMIN ? "role.admin" : null;
}
