import { noChanges } from "@parley/protocol/endpoints/changes";
import { MessageType } from "@parley/protocol/codes";
import type { SavedChange } from "@parley/protocol/saved-message";
import { describe, expect, test } from "vitest";
import { chat, FRIEND_CHAT, GROUP_CHAT, ME, privateRow } from "../../testing/builders.ts";
import { EMPTY_CHATS } from "../signed-out-state.ts";
import type { State } from "../state.ts";
import { toChatMessage } from "./chat-rows.ts";
import { findSaved, hasMissing, isSaved, saved, savedItems, type SavedState } from "./saved-messages.ts";

const of = (id: number, v: number, part: Partial<NonNullable<SavedChange["saved"]>> = {}): SavedChange => ({
  id,
  v,
  saved: { type: "PRIVATE", targetId: 2, at: 100 + id, note: "", tags: [], ...part },
});
const gone = (id: number, v: number): SavedChange => ({ id, v, saved: null });

type Shown = SavedState & Pick<State, "savedCopies" | "chats">;
const state = (changes: readonly SavedChange[], part: Partial<Shown> = {}): Shown => ({
  saved: saved.reduce({}, changes),
  unsentSaves: {},
  savedCopies: {},
  chats: EMPTY_CHATS,
  ...part,
});
const message = (row: Parameters<typeof privateRow>[0]) => toChatMessage(privateRow(row), ME);
const copy = (id: number, v: number, content: string) => ({ id, v, message: message({ id, content }) });

describe("what the server has", () => {
  test("SV2 the higher version of a message counts, in whatever order answers arrive", () => {
    const newer = saved.reduce({}, [of(4, 3), gone(5, 4)]);
    expect(newer).toEqual({ 4: of(4, 3), 5: gone(5, 4) });
    expect(saved.reduce(newer, [of(5, 2), of(4, 3, { note: "late" })])).toBe(newer);
    expect(saved.reduce(newer, [gone(4, 6)])).toEqual({ 4: gone(4, 6), 5: gone(5, 4) });
    // Nothing was ever saved.
    expect(saved.reduce({}, [gone(4, 0)])).toEqual({});
  });

  test("SV2 all of an answer of the feed are one change, and an empty one is none", () => {
    expect(saved.changesOf?.({ ...noChanges("1"), saved: [of(4, 3), of(5, 4)] })).toEqual([
      [of(4, 3), of(5, 4)],
    ]);
    expect(saved.changesOf?.(noChanges("1"))).toEqual([]);
  });

  test("SV4 a copy is missing without one, and when that is older", () => {
    const of4 = state([of(4, 3), gone(5, 4)]);
    expect(hasMissing(of4)).toBe(true);
    expect(hasMissing({ ...of4, savedCopies: { 4: copy(4, 2, "old") } })).toBe(true);
    expect(hasMissing({ ...of4, savedCopies: { 4: copy(4, 3, "new") } })).toBe(false);
  });
});

describe("what is shown", () => {
  const words = { note: "unsent", tags: ["x"] };

  test("SV2 what is not confirmed is laid over what the server has", () => {
    const unsentSaves = {
      4: { key: FRIEND_CHAT, id: 4, words: null },
      5: { key: FRIEND_CHAT, id: 5, words },
      6: { key: GROUP_CHAT, id: 6, words },
    };
    const shown = state([of(4, 1), of(5, 2, { note: "told" }), of(7, 3)], { unsentSaves });
    expect([4, 5, 6, 7, 8, null].map((id) => isSaved(shown, id))).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(savedItems(shown)).toMatchObject([
      { id: 6, key: GROUP_CHAT, at: Infinity, ...words },
      { id: 7, key: FRIEND_CHAT, at: 107, note: "" },
      { id: 5, key: FRIEND_CHAT, at: 105, ...words },
    ]);
  });

  test("SV5 what the person has just deleted for themselves is left out", () => {
    const known = chat({ key: FRIEND_CHAT });
    const byKey = { [FRIEND_CHAT]: { ...known, sync: { ...known.sync, deletedForMe: [4] } } };
    const shown = state([of(4, 1), of(5, 2)], { chats: { ...EMPTY_CHATS, byKey } });
    expect(savedItems(shown).map(({ id }) => id)).toEqual([5]);
  });

  test("SV6 a search finds words, notes and tags by the rule of every search", () => {
    const savedCopies = {
      4: copy(4, 1, "The address of the office"),
      5: copy(5, 1, "下午三点开会"),
      6: {
        id: 6,
        v: 1,
        message: message({
          id: 6,
          type: MessageType.FILE,
          content: JSON.stringify({ name: "Plan.pdf", size: 1, url: "/files/x" }),
        }),
      },
    };
    const changes = [of(4, 1, { note: "for Monday" }), of(5, 1, { tags: ["Work"] }), of(6, 1), of(7, 1)];
    const items = savedItems(state(changes, { savedCopies }));
    const found = (text: string) => findSaved(items, text).map(({ id }) => id);
    expect(found("")).toEqual([7, 6, 5, 4]);
    expect(found("addr")).toEqual([4]);
    expect(found("三点")).toEqual([5]);
    expect(found("monday")).toEqual([4]);
    expect(found("work")).toEqual([5]);
    expect(found("plan.pdf")).toEqual([6]);
    expect(found("nothing")).toEqual([]);
  });
});
