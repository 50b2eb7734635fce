import { describe, expect, test } from "vitest";
import { chat, FRIEND_CHAT, GROUP_CHAT } from "../../testing/builders.ts";
import { EMPTY_CHATS } from "../signed-out-state.ts";
import type { Chat, ChatKey, FirstChats } from "../state.ts";
import { CHAT_FILTERS, CHAT_FOLDS, type ChatFilter, filterChats, foldList } from "./chat-filter.ts";
import { SYSTEM_CHAT } from "./chat-rows.ts";

const QUIET: ChatKey = "PRIVATE:7";
const ORDER: readonly ChatKey[] = [GROUP_CHAT, FRIEND_CHAT, SYSTEM_CHAT, QUIET];

/** `hasMark`: the quiet chat has an unread mark. */
function stateOf(parts: Readonly<Record<ChatKey, Partial<Chat>>>, hasMark = false) {
  const byKey = Object.fromEntries(ORDER.map((key) => [key, chat({ ...parts[key], key })]));
  const unsentPrefs = { [QUIET]: { unreadMark: hasMark ? 9 : null } };
  return { chats: { ...EMPTY_CHATS, byKey, order: ORDER }, firstChats: null, chatPrefs: {}, unsentPrefs };
}

const shown = (filter: ChatFilter, parts: Readonly<Record<ChatKey, Partial<Chat>>> = {}, hasMark = false) =>
  filterChats(ORDER, filter, stateOf(parts, hasMark));

test("CF1 the filters are in the order of their keys", () => {
  expect(CHAT_FILTERS).toEqual(["all", "unread", "mentions", "groups", "people"]);
});

describe("CF2 what a filter shows", () => {
  test("all of them, as the same list", () => {
    expect(shown("all")).toBe(ORDER);
  });

  test("unread chats: of any kind, muted and marked ones too, in the order of the list", () => {
    expect(shown("unread")).toEqual([]);
    expect(
      shown("unread", { [SYSTEM_CHAT]: { unread: 2 }, [GROUP_CHAT]: { unread: 5, msgRemind: 2 } }, true),
    ).toEqual([GROUP_CHAT, SYSTEM_CHAT, QUIET]);
  });

  test("chats with an unread mention of me or of everyone", () => {
    expect(shown("mentions", { [GROUP_CHAT]: { unread: 5 } })).toEqual([]);
    expect(shown("mentions", { [GROUP_CHAT]: { unread: 5, atMe: true } })).toEqual([GROUP_CHAT]);
    expect(shown("mentions", { [GROUP_CHAT]: { unread: 5, atAll: true } })).toEqual([GROUP_CHAT]);
  });

  test("groups, or people; the system chat is neither", () => {
    expect(shown("groups")).toEqual([GROUP_CHAT]);
    expect(shown("people")).toEqual([FRIEND_CHAT, QUIET]);
  });

  test("what the server says of the first chats counts while they are shown", () => {
    const first = {
      chat: chat({ key: FRIEND_CHAT, unread: 3 }),
      name: "Lin",
      headImage: null,
      firstUnreadId: 1,
    };
    const firstChats: FirstChats = { order: [FRIEND_CHAT], byKey: { [FRIEND_CHAT]: first } };
    const state = { chats: EMPTY_CHATS, firstChats, chatPrefs: {}, unsentPrefs: {} };
    expect(filterChats([FRIEND_CHAT, QUIET], "unread", state)).toEqual([FRIEND_CHAT]);
  });
});

test("CF3 a chat that is kept stays at its place although it is read", () => {
  const state = stateOf({ [GROUP_CHAT]: { unread: 1 }, [QUIET]: { unread: 1 } });
  expect(filterChats(ORDER, "unread", state, FRIEND_CHAT)).toEqual([GROUP_CHAT, FRIEND_CHAT, QUIET]);
  expect(filterChats(ORDER, "unread", state, "PRIVATE:99")).toEqual([GROUP_CHAT, QUIET]);
});

describe("CP8 the archive as a folded part of the list", () => {
  const withArchive = (parts: Readonly<Record<ChatKey, Partial<Chat>>> = {}) => ({
    ...stateOf({ ...parts, [GROUP_CHAT]: { msgRemind: 2, ...parts[GROUP_CHAT] } }),
    unsentPrefs: { [GROUP_CHAT]: { archived: 5 }, [QUIET]: { archived: -1 } },
  });
  const busy = { [GROUP_CHAT]: { unread: 5, atMe: true }, [QUIET]: { unread: 1 } };

  test("its chats are in the view of the archive and in no filter, also if they are unread or kept", () => {
    expect(filterChats(ORDER, "archived", withArchive())).toEqual([GROUP_CHAT, QUIET]);
    expect(filterChats(ORDER, "all", withArchive())).toEqual([FRIEND_CHAT, SYSTEM_CHAT]);
    for (const filter of CHAT_FILTERS)
      expect(filterChats(ORDER, filter, withArchive(busy), QUIET)).not.toContain(QUIET);
    expect(filterChats(ORDER, "unread", withArchive(busy))).toEqual([]);
    expect(filterChats(ORDER, "mentions", withArchive(busy))).toEqual([]);
    expect(filterChats(ORDER, "groups", withArchive(busy))).toEqual([]);
  });

  test("its row says how many chats there are, whether something is unread, and who is mentioned", () => {
    const fold = "archived";
    expect(foldList(ORDER, stateOf({}), [fold]).folds).toEqual([]);
    expect(foldList(ORDER, withArchive(), [fold]).folds).toEqual([
      { fold, count: 2, hasUnread: false, mention: null },
    ]);
    expect(foldList(ORDER, withArchive(busy), [fold]).folds).toEqual([
      { fold, count: 2, hasUnread: true, mention: "atMe" },
    ]);
    expect(foldList(ORDER, withArchive({ [QUIET]: { unread: 1, atAll: true } }), [fold]).folds).toEqual([
      { fold, count: 2, hasUnread: true, mention: "atAll" },
    ]);
  });
});

describe("CF11 muted groups as a folded part of the list", () => {
  const muted = { [GROUP_CHAT]: { msgRemind: 2, unread: 5 }, [QUIET]: { msgRemind: 0, unread: 1 } };

  test("they are folded where the person wants that, and not in the other filters; muted people are not", () => {
    const state = stateOf(muted);
    expect(filterChats(ORDER, "all", state)).toBe(ORDER);
    expect(filterChats(ORDER, "all", state, null, CHAT_FOLDS)).toEqual([FRIEND_CHAT, SYSTEM_CHAT, QUIET]);
    expect(filterChats(ORDER, "mutedGroups", state, null, CHAT_FOLDS)).toEqual([GROUP_CHAT]);
    expect(filterChats(ORDER, "unread", state, null, CHAT_FOLDS)).toEqual([GROUP_CHAT, QUIET]);
    expect(filterChats(ORDER, "groups", state, null, CHAT_FOLDS)).toEqual([GROUP_CHAT]);
    const leadersOnly = stateOf({ [GROUP_CHAT]: { msgRemind: 1 } });
    expect(filterChats(ORDER, "all", leadersOnly, null, CHAT_FOLDS)).toBe(ORDER);
  });

  test("a muted group that is archived is in the archive alone", () => {
    const state = { ...stateOf(muted), unsentPrefs: { [GROUP_CHAT]: { archived: 5 } } };
    expect(filterChats(ORDER, "archived", state, null, CHAT_FOLDS)).toEqual([GROUP_CHAT]);
    expect(filterChats(ORDER, "mutedGroups", state, null, CHAT_FOLDS)).toEqual([]);
    expect(foldList(ORDER, state, CHAT_FOLDS).folds.map(({ fold }) => fold)).toEqual(["archived"]);
  });

  test("the row counts them", () => {
    expect(foldList(ORDER, stateOf(muted), CHAT_FOLDS).folds).toEqual([
      { fold: "mutedGroups", count: 1, hasUnread: true, mention: null },
    ]);
    expect(foldList(ORDER, stateOf(muted), ["archived"]).folds).toEqual([]);
  });
});
