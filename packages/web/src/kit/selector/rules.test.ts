import { beforeAll, describe, expect, it } from "vitest";
import { loadSounds, matchesName } from "../pinyin.ts";
import { chosenEntries, firstPicked, foundEntries, shownEntries, toggled } from "./rules.ts";
import type { SelectorEntry } from "./rules.ts";

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

const ids = (entries: readonly SelectorEntry[]) => entries.map((one) => one.userId);

describe("who is shown", () => {
  const people = [
    entry(1, { showNickName: "周若宁", otherNames: ["Ruo"] }),
    entry(2, { hide: true }),
    entry(3, { quit: true, checked: true }),
    entry(4, { showNickName: "Anya Holm" }),
  ];

  beforeAll(loadSounds);

  it("leaves out who is hidden or has left", () => {
    expect(ids(shownEntries(people))).toEqual([1, 4]);
    expect(ids(chosenEntries(people, [2, 3, 4]))).toEqual([4]);
    expect(firstPicked(people)).toEqual([]);
  });

  it.each([
    ["", [1, 4]],
    ["若宁", [1]],
    ["zrn", [1]],
    ["ruoning", [1]],
    ["RUO", [1]],
    ["holm", [4]],
    ["nobody", []],
  ])("finds %j", (query, found) => {
    expect(ids(foundEntries(people, query, matchesName))).toEqual(found);
  });
});

describe("choosing", () => {
  const people = [entry(1, { checked: true, locked: true }), entry(2), entry(3, { locked: true }), entry(4)];

  it("keeps the order of choosing behind the locked ones", () => {
    const one = toggled(people, [], 4, Infinity).picked;
    const two = toggled(people, one, 2, Infinity).picked;
    expect(ids(chosenEntries(people, two))).toEqual([1, 4, 2]);
    expect(toggled(people, two, 4, Infinity)).toEqual({ picked: [2], isOver: false });
  });

  it("never toggles a locked one", () => {
    expect(toggled(people, [], 1, Infinity)).toEqual({ picked: [], isOver: false });
    expect(toggled(people, [], 3, Infinity)).toEqual({ picked: [], isOver: false });
    expect(ids(chosenEntries(people, [3]))).toEqual([1]);
  });

  it("unchecks the last one beyond the maximum, in which locked ones count", () => {
    expect(toggled(people, [2], 4, 2)).toEqual({ picked: [2], isOver: true });
    expect(toggled(people, [2], 4, 3)).toEqual({ picked: [2, 4], isOver: false });
    // Taking one back makes room.
    expect(toggled(people, [2], 2, 2)).toEqual({ picked: [], isOver: false });
  });

  it("makes room when somebody chosen has left", () => {
    const left = people.map((one) => (one.userId === 2 ? { ...one, quit: true } : one));
    expect(toggled(left, [2], 4, 2)).toEqual({ picked: [2, 4], isOver: false });
    expect(ids(chosenEntries(left, [2, 4]))).toEqual([1, 4]);
  });

  it("knows nobody who is not there", () => {
    expect(toggled(people, [], 9, Infinity)).toEqual({ picked: [], isOver: false });
  });
});
