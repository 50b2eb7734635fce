import { beforeAll, describe, expect, test, vi } from "vitest";
import { loadSounds, matchesName } from "../search/pinyin.ts";
import pinyinTable from "../search/pinyin-table.json";
import {
  changedSelection,
  selectedEntries,
  selectionChanges,
  initialSelection,
  matchingEntries,
  visibleEntries,
  toggleEntry,
} from "./member-selection.ts";
import type { SelectorEntry } from "./member-selection.ts";

function entry(userId: number, part: Partial<SelectorEntry> = {}): SelectorEntry {
  return {
    userId,
    showNickName: `Person ${userId}`,
    headImage: null,
    online: false,
    checked: false,
    locked: false,
    hide: false,
    quit: false,
    ...part,
  };
}

const ids = (entries: readonly SelectorEntry[]) => entries.map(({ userId }) => userId);

describe("the shown entries", () => {
  const people = [
    entry(1, { showNickName: "周若宁", otherNames: ["Ruo"] }),
    entry(2, { hide: true }),
    entry(3, { quit: true, checked: true }),
    entry(4, { showNickName: "Anya Holm" }),
  ];

  beforeAll(async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(pinyinTable)));
    await loadSounds();
  });

  test("leaves out people who are hidden or have left", () => {
    expect(ids(visibleEntries(people))).toEqual([1, 4]);
    expect(ids(selectedEntries(people, [2, 3, 4]))).toEqual([4]);
    expect(initialSelection(people)).toEqual([]);
  });

  test.each([
    ["", [1, 4]],
    ["若宁", [1]],
    ["zrn", [1]],
    ["ruoning", [1]],
    ["RUO", [1]],
    ["holm", [4]],
    ["nobody", []],
  ])("finds %j", (query, found) => {
    expect(ids(matchingEntries(people, query, matchesName))).toEqual(found);
  });
});

describe("selecting", () => {
  const people = [entry(1, { checked: true, locked: true }), entry(2), entry(3, { locked: true }), entry(4)];

  test("keeps the order of selection after the locked ones", () => {
    const one = toggleEntry(people, [], 4, Infinity).selectedIds;
    const two = toggleEntry(people, one, 2, Infinity).selectedIds;
    expect(ids(selectedEntries(people, two))).toEqual([1, 4, 2]);
    expect(toggleEntry(people, two, 4, Infinity)).toEqual({ selectedIds: [2], isOver: false });
  });

  test("never toggles a locked one", () => {
    expect(toggleEntry(people, [], 1, Infinity)).toEqual({ selectedIds: [], isOver: false });
    expect(toggleEntry(people, [], 3, Infinity)).toEqual({ selectedIds: [], isOver: false });
    expect(ids(selectedEntries(people, [3]))).toEqual([1]);
  });

  test("refuses one more than the maximum, in which locked ones count", () => {
    expect(toggleEntry(people, [2], 4, 2)).toEqual({ selectedIds: [2], isOver: true });
    expect(toggleEntry(people, [2], 4, 3)).toEqual({ selectedIds: [2, 4], isOver: false });
    // Deselecting is possible at the maximum.
    expect(toggleEntry(people, [2], 2, 2)).toEqual({ selectedIds: [], isOver: false });
  });

  test("does not count a selected person who has left", () => {
    const left = people.map((person) => (person.userId === 2 ? { ...person, quit: true } : person));
    expect(toggleEntry(left, [2], 4, 2)).toEqual({ selectedIds: [2, 4], isOver: false });
    expect(ids(selectedEntries(left, [2, 4]))).toEqual([1, 4]);
  });

  test("ignores unknown users", () => {
    expect(toggleEntry(people, [], 9, Infinity)).toEqual({ selectedIds: [], isOver: false });
  });
});

describe("a selection that others change too", () => {
  const muted = (...userIds: number[]) =>
    initialSelection([1, 2, 3, 4].map((userId) => entry(userId, { checked: userIds.includes(userId) })));

  test("keeps only the person's own changes when the initial selection changes", () => {
    const changes = selectionChanges(muted(1, 2), [2, 4]);
    expect(changes).toEqual({ added: [4], removed: [1] });
    // Somebody else has muted 3 and unmuted 2.
    const selected = changedSelection(muted(1, 3), changes);
    expect(selected).toEqual([3, 4]);
    expect(selectionChanges(muted(1, 3), selected)).toEqual({ added: [4], removed: [1] });
  });

  test("has nothing left to change when others have done the same", () => {
    const changes = selectionChanges(muted(1), [4]);
    const selected = changedSelection(muted(4), changes);
    expect(selected).toEqual([4]);
    expect(selectionChanges(muted(4), selected)).toEqual({ added: [], removed: [] });
  });
});
