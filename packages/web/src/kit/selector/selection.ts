/** Somebody who can be chosen (spec §3, §5). */
export interface SelectorEntry {
  readonly userId: number;
  readonly showNickName: string;
  readonly headImage: string | null;
  readonly online: boolean;
  /** Chosen when the selector opens. */
  readonly checked: boolean;
  /** Stays as it is, chosen or not. */
  readonly locked: boolean;
  readonly hide: boolean;
  readonly quit: boolean;
  /** Further names that the search finds, e.g. the nickname behind a remark. */
  readonly otherNames?: readonly string[];
  /** A word at the end of the row, e.g. the role, or why it is locked. */
  readonly note?: string;
}

/** Ids in the order in which they were chosen. */
export type SelectedIds = readonly number[];

type Matches = (name: string, query: string) => boolean;

/** Hidden ones and those who have left are not shown. */
export function visibleEntries(entries: readonly SelectorEntry[]): readonly SelectorEntry[] {
  return entries.filter((entry) => !entry.hide && !entry.quit);
}

/** Those of the shown ones that the search finds. */
export function matchingEntries(
  entries: readonly SelectorEntry[],
  query: string,
  matches: Matches,
): readonly SelectorEntry[] {
  return visibleEntries(entries).filter((entry) =>
    [entry.showNickName, ...(entry.otherNames ?? [])].some((name) => matches(name, query)),
  );
}

/** What is chosen when the selector opens. */
export function initialSelection(entries: readonly SelectorEntry[]): SelectedIds {
  return visibleEntries(entries).flatMap(({ userId, checked, locked }) =>
    checked && !locked ? [userId] : [],
  );
}

/** Who is chosen now: the locked ones first, then in the order of choosing. Who has gone meanwhile is not. */
export function selectedEntries(
  entries: readonly SelectorEntry[],
  selectedIds: SelectedIds,
): readonly SelectorEntry[] {
  const shown = visibleEntries(entries);
  const byId = new Map(shown.map((entry) => [entry.userId, entry]));
  const free = selectedIds.flatMap((id) => {
    const entry = byId.get(id);
    return entry === undefined || entry.locked ? [] : [entry];
  });
  return [...shown.filter((entry) => entry.locked && entry.checked), ...free];
}

/** Chooses somebody or takes that back. `isOver`: one more than the maximum, so the last one was unchecked again. */
export function toggleEntry(
  entries: readonly SelectorEntry[],
  selectedIds: SelectedIds,
  userId: number,
  maxSize: number,
): { readonly selectedIds: SelectedIds; readonly isOver: boolean } {
  const entry = visibleEntries(entries).find((one) => one.userId === userId);
  if (entry === undefined || entry.locked) return { selectedIds, isOver: false };
  if (selectedIds.includes(userId))
    return { selectedIds: selectedIds.filter((id) => id !== userId), isOver: false };
  const next = [...selectedIds, userId];
  return selectedEntries(entries, next).length > maxSize
    ? { selectedIds, isOver: true }
    : { selectedIds: next, isOver: false };
}
