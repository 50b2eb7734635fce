import { noChanges, userChanges } from "@parley/protocol/endpoints/changes";
import { describe, expect, test } from "vitest";
import {
  FRIEND,
  FRIEND_CHAT,
  GROUP,
  GROUP_CHAT,
  ME,
  chat,
  friendVO,
  groupRow,
  groupVO,
  privateRow,
} from "../../testing/builders.ts";
import { createChatHarness, groupInput, privateInput } from "../../testing/chat-harness.ts";
import { createPrng } from "../../testing/prng.ts";
import type { ChatInput } from "./chat-input.ts";
import {
  alertLevelEnd,
  chatPrefs,
  isArchived,
  isBackFromArchive,
  isMarkedUnread,
  newestPositionOf,
  prefsOf,
  type PrefState,
} from "./chat-prefs.ts";
import { EMPTY_CONTACTS, EMPTY_GROUPS } from "../signed-out-state.ts";
import { newChatSync } from "./new-chat.ts";

const at = (v: number, unreadMark: number | null) => ({ key: FRIEND_CHAT, v, prefs: { unreadMark } });
const state = (part: Partial<PrefState> = {}): PrefState => ({ chatPrefs: {}, unsentPrefs: {}, ...part });
const markedAt = (unreadMark: number | null) =>
  state({ chatPrefs: { [FRIEND_CHAT]: { v: 1, prefs: { unreadMark } } } });

describe("what the server has", () => {
  test("CP1 the higher version of a chat counts, in whatever order answers arrive", () => {
    const { initial, reduce } = chatPrefs;
    const newer = reduce(reduce(initial, at(3, 5)), at(4, null));
    expect(newer).toEqual({ [FRIEND_CHAT]: { v: 4, prefs: { unreadMark: null } } });
    expect(reduce(newer, at(3, 5))).toBe(newer);
    expect(reduce(newer, at(4, 5))).toBe(newer);
    // Nothing was ever set.
    expect(reduce(initial, at(0, null))).toBe(initial);
  });

  test("CP1 the feed names the chats", () => {
    const { prefs } = at(7, 5);
    const feed = { ...noChanges("1"), prefs: [{ type: "PRIVATE" as const, targetId: 2, v: 7, prefs }] };
    expect(chatPrefs.changesOf?.(feed)).toEqual([{ key: "PRIVATE:2", v: 7, prefs }]);
  });

  test("CP1 a pref of a later version stays in what is stored", () => {
    const later = { v: 7, prefs: { unreadMark: 5, folders: [1] } };
    const feed = userChanges.parse({ next: "1", prefs: [{ type: "PRIVATE", targetId: 2, ...later }] });
    const [change] = chatPrefs.changesOf?.(feed) ?? [];
    const stored = chatPrefs.reduce({}, chatPrefs.changeSchema.parse(change));
    expect(chatPrefs.schema.parse(stored)).toEqual({ "PRIVATE:2": later });
  });
});

describe("what is shown", () => {
  test("CP2 what is not confirmed is laid over what the server has", () => {
    const unsentPrefs = { [FRIEND_CHAT]: { unreadMark: null } };
    expect(prefsOf({ ...markedAt(5), unsentPrefs }, FRIEND_CHAT)).toEqual({ unreadMark: null });
    expect(prefsOf(markedAt(5), FRIEND_CHAT)).toEqual({ unreadMark: 5 });
    expect(prefsOf(state(), FRIEND_CHAT)).toEqual({});
  });

  test.each([
    ["read up to the mark", 5, 5, true],
    ["read less far", 4, 5, true],
    ["read further", 6, 5, false],
    ["without a mark", 5, null, false],
    ["an empty chat", -1, -1, true],
  ] as const)("CP3 M54 %s: %i read, mark %s", (_, readId, unreadMark, isMarked) => {
    expect(isMarkedUnread(markedAt(unreadMark), { key: FRIEND_CHAT, readId })).toBe(isMarked);
  });

  test("CP3 a chat of which nothing is set is not marked", () => {
    expect(isMarkedUnread(state(), chat({ key: FRIEND_CHAT, readId: 5 }))).toBe(false);
  });

  test("CP3 a mark is at the newest message, or where the person has read if that was deleted", () => {
    const newest = (position: number) => ({
      ...newChatSync(0),
      newest: { ...chat({ key: FRIEND_CHAT }).sync.newest, id: 90, position } as never,
    });
    expect(newestPositionOf({ readId: 5, sync: newest(7) })).toBe(7);
    expect(newestPositionOf({ readId: 9, sync: newest(7) })).toBe(9);
    expect(newestPositionOf({ readId: -1, sync: newChatSync(0) })).toBe(-1);
  });
});

describe("the archive", () => {
  const MUTED_GROUP = 2;
  const archivedAt = (archived: number | null): PrefState =>
    state({
      chatPrefs: {
        [GROUP_CHAT]: { v: 1, prefs: { archived } },
        [FRIEND_CHAT]: { v: 2, prefs: { archived } },
      },
    });
  const groupChat = (msgRemind: number, ...rows: readonly { id: number; atUserIds?: number[] }[]) => {
    const harness = createChatHarness();
    harness.dispatch(...rows.map((row) => groupInput(groupRow(row))));
    harness.dispatch({ kind: "settings", key: GROUP_CHAT, isTop: false, msgRemind });
    return harness.chat(GROUP_CHAT);
  };

  test.each([
    ["without a later message", 0, [{ id: 5 }], true],
    ["with a later message", 0, [{ id: 5 }, { id: 6 }], false],
    ["with one from the leaders alone alerting", 1, [{ id: 5 }, { id: 6 }], false],
    ["muted, with a later message", MUTED_GROUP, [{ id: 5 }, { id: 6 }], true],
    ["muted, with a later mention of everyone", MUTED_GROUP, [{ id: 5 }, { id: 6, atUserIds: [-1] }], true],
    [
      "muted, with a later mention of the person",
      MUTED_GROUP,
      [{ id: 5 }, { id: 6, atUserIds: [ME] }],
      false,
    ],
    [
      "muted, with an earlier mention of the person",
      MUTED_GROUP,
      [{ id: 5, atUserIds: [ME] }, { id: 6 }],
      true,
    ],
  ] as const)("CP5 a chat that was archived at message 5, %s", (_, msgRemind, rows, expected) => {
    const listed = groupChat(
      msgRemind,
      ...rows.map((row) => ({ ...row, atUserIds: [...("atUserIds" in row ? row.atUserIds : [])] })),
    );
    expect(isArchived(archivedAt(5), listed)).toBe(expected);
    expect(isBackFromArchive(archivedAt(5), listed)).toBe(!expected);
  });

  test("CP5 a chat that nobody has archived, or that was taken out, is in the list and not back", () => {
    for (const prefs of [
      state(),
      archivedAt(null),
      state({ ...archivedAt(5), unsentPrefs: { [GROUP_CHAT]: { archived: null } } }),
    ]) {
      expect(isArchived(prefs, groupChat(0, { id: 5 }))).toBe(false);
      expect(isBackFromArchive(prefs, groupChat(0, { id: 6 }))).toBe(false);
    }
  });

  test("CP5 what is not confirmed counts at once, and leaves another pref as it is", () => {
    const unsent = { ...archivedAt(null), unsentPrefs: { [GROUP_CHAT]: { archived: 5 } } };
    expect(isArchived(unsent, groupChat(0, { id: 5 }))).toBe(true);
    const marked = { ...archivedAt(5), unsentPrefs: { [GROUP_CHAT]: { unreadMark: 5 } } };
    expect(isArchived(marked, groupChat(0, { id: 5 }))).toBe(true);
  });

  test("CP6 an empty chat can be archived, and its first message brings it back", () => {
    const empty = chat({ key: FRIEND_CHAT });
    expect(newestPositionOf(empty)).toBe(-1);
    expect(isArchived(archivedAt(-1), empty)).toBe(true);
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 1 }));
    expect(isArchived(archivedAt(-1), harness.chat())).toBe(false);
  });

  test("CP7 in 1,000 orders of messages, mutings and answers, two devices agree after archiving by one of them", () => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= 1_000; seed++) {
      const random = createPrng(seed);
      const isGroup = random.isTrueWithProbability(0.6);
      const key = isGroup ? GROUP_CHAT : FRIEND_CHAT;
      const later = [11, 12, 13].map((id) => ({
        id,
        isMention: isGroup && random.isTrueWithProbability(0.3),
      }));
      const isMutedAtLast = random.isTrueWithProbability(0.5);
      const rowInput = ({ id, isMention }: (typeof later)[number]): ChatInput =>
        isGroup
          ? groupInput(groupRow({ id, groupId: GROUP, atUserIds: isMention ? [ME] : [] }))
          : privateInput(privateRow({ id, sendId: FRIEND }));
      const setting: ChatInput = {
        kind: "settings",
        key,
        isTop: false,
        msgRemind: isGroup ? (isMutedAtLast ? MUTED_GROUP : 0) : isMutedAtLast ? 0 : 1,
      };
      const first = rowInput({ id: 10, isMention: false });
      const devices = ["A", "A2"].map(() => {
        const harness = createChatHarness();
        harness.dispatch(first);
        // What is on its way to the device. Messages keep their order among themselves; all else may overtake.
        const lanes: (() => void)[][] = [
          later.map((row) => () => harness.dispatch(rowInput(row))),
          [() => harness.dispatch(setting)],
        ];
        return { harness, lanes, prefs: state() };
      });
      const [acting] = devices;
      if (acting === undefined) throw new Error("no device");
      let archived = -1;
      acting.lanes.push([
        () => {
          archived = newestPositionOf(acting.harness.chat(key));
          acting.prefs = { ...acting.prefs, unsentPrefs: { [key]: { archived } } };
          const versioned = { key, v: 7, prefs: { archived } };
          for (const device of devices)
            device.lanes.push([
              () => {
                const unsentPrefs = device === acting ? {} : device.prefs.unsentPrefs;
                device.prefs = {
                  chatPrefs: chatPrefs.reduce(device.prefs.chatPrefs, versioned),
                  unsentPrefs,
                };
              },
            ]);
        },
      ]);
      for (;;) {
        const waiting = devices.flatMap(({ lanes }) => lanes).filter((lane) => lane.length > 0);
        if (waiting.length === 0) break;
        random.pick(waiting).shift()?.();
      }
      const expected = !later.some(({ id, isMention }) => id > archived && (isMention || !isMutedAtLast));
      const ended = devices.map(({ harness, prefs }) => isArchived(prefs, harness.chat(key)));
      expect([seed, ...ended]).toEqual([seed, expected, expected]);
      ends.add(`${archived} ${expected}`);
    }
    // The act came between any two messages, and both ends are among them; after the last message none brings it back.
    expect([...ends].toSorted()).toEqual([
      "10 false",
      "10 true",
      "11 false",
      "11 true",
      "12 false",
      "12 true",
      "13 true",
    ]);
  });
});

test.each([
  ["a friend", "PRIVATE", FRIEND, 60_500],
  ["a group", "GROUP", GROUP, 61_000],
  ["nobody known", "PRIVATE", 99, null],
  ["the system chat", "SYSTEM", 0, null],
] as const)(
  "MU3 MU8 the end of the alert level of %s is a time of this device, whose clock is ahead",
  (_, type, targetId, end) => {
    const settings = {
      contacts: { ...EMPTY_CONTACTS, friends: { [FRIEND]: friendVO({ msgRemindUntil: 500 }) } },
      groups: { ...EMPTY_GROUPS, byId: { [GROUP]: groupVO({ msgRemindUntil: 1_000 }) } },
      clockAheadMs: 60_000,
    };
    expect(alertLevelEnd(settings, { type, targetId })).toBe(end);
  },
);
