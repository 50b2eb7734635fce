import { describe, expect, test } from "vitest";
import { ChatType } from "@parley/protocol/codes";
import type { Chat, ChatKey } from "@parley/core/model/state";
import type { PrefsByChat } from "@parley/core/model/chats/chat-prefs";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { EMPTY_CHATS, EMPTY_CONTACTS, EMPTY_GROUPS } from "@parley/core/model/signed-out-state";
import { chat, friendVO, groupVO, localEcho, ME, userInfo } from "@parley/core/testing/builders";
import { nextChat, nextUnread, visibleChats } from "./chat-order.ts";

const order: ChatKey[] = ["PRIVATE:1", "PRIVATE:2", "PRIVATE:3", "PRIVATE:4"];

/** Four ordinary chats with these changes, by the number of the chat. */
function chats(parts: Readonly<Record<number, Partial<Chat>>>, prefs: PrefsByChat = {}) {
  const ordinary = {
    type: "PRIVATE",
    msgRemind: 1,
    unread: 0,
    atMe: false,
    atAll: false,
  } as unknown as Chat;
  const byKey = order.map((key, index) => [key, { ...ordinary, key, ...parts[index + 1] }] as const);
  return { chats: { order, byKey: Object.fromEntries(byKey) }, chatPrefs: prefs, unsentPrefs: {} };
}

test("steps through the chats and stops at the ends", () => {
  expect(nextChat(order, "PRIVATE:1", 1)).toBe("PRIVATE:2");
  expect(nextChat(order, "PRIVATE:1", -1)).toBeNull();
  expect(nextChat(order, null, 1)).toBe("PRIVATE:1");
  expect(nextChat(order, null, -1)).toBe("PRIVATE:4");
});

test("goes to the next unread chat and wraps around", () => {
  const state = chats({ 1: { unread: 2 }, 3: { unread: 1 } });
  expect(nextUnread(state, null, 1)).toBe("PRIVATE:1");
  expect(nextUnread(state, "PRIVATE:1", 1)).toBe("PRIVATE:3");
  expect(nextUnread(state, "PRIVATE:3", 1)).toBe("PRIVATE:1");
  expect(nextUnread(state, "PRIVATE:4", -1)).toBe("PRIVATE:3");
  expect(nextUnread(state, "PRIVATE:1", -1)).toBe("PRIVATE:3");
  expect(nextUnread(state, null, -1)).toBe("PRIVATE:3");
});

test("goes to chats marked as unread, and to muted chats only when nothing else is unread", () => {
  const state = chats(
    { 2: { unread: 9, msgRemind: 0 }, 4: { readId: 7 } },
    { "PRIVATE:4": { v: 1, prefs: { unreadMark: 7 } } },
  );
  expect(nextUnread(state, "PRIVATE:1", 1)).toBe("PRIVATE:4");
  expect(nextUnread(chats({ 2: { unread: 9, msgRemind: 0 } }), "PRIVATE:1", 1)).toBe("PRIVATE:2");
  const withMention = chats({ 2: { unread: 9, msgRemind: 0, atAll: true }, 4: { unread: 1 } });
  expect(nextUnread(withMention, "PRIVATE:1", 1)).toBe("PRIVATE:2");
});

test("CP9 archived chats are left out", () => {
  const archived = { "PRIVATE:2": { v: 1, prefs: { archived: 9 } } };
  const sync = { newest: { position: 9 }, mentions: [] } as unknown as Chat["sync"];
  const state = chats({ 2: { unread: 9, sync }, 4: { unread: 1 } }, archived);
  expect(nextUnread(state, "PRIVATE:1", 1)).toBe("PRIVATE:4");
  expect(nextUnread(state, "PRIVATE:4", 1)).toBeNull();
});

test("treats a muted chat like any other when it mentions the reader", () => {
  const silent = { unread: 9, msgRemind: 0 };
  expect(nextUnread(chats({ 2: silent, 4: { unread: 1 } }), "PRIVATE:1", 1)).toBe("PRIVATE:4");
  expect(nextUnread(chats({ 2: { ...silent, atMe: true }, 4: { unread: 1 } }), "PRIVATE:1", 1)).toBe(
    "PRIVATE:2",
  );
  expect(nextUnread(chats({ 2: { ...silent, atAll: true }, 4: { unread: 1 } }), "PRIVATE:1", 1)).toBe(
    "PRIVATE:2",
  );
});

test("stays when no other chat is unread", () => {
  expect(nextUnread(chats({ 2: { unread: 1 } }), "PRIVATE:2", 1)).toBeNull();
  expect(nextUnread({ ...chats({}), chats: { order: [], byKey: {} } }, null, 1)).toBeNull();
});

describe("the chats that are offered", () => {
  const FRIEND = 7;
  const FORMER = 8;
  const STRANGER = 99_999;
  const GROUP = 5;

  const contacts = {
    ...EMPTY_CONTACTS,
    friends: { [FRIEND]: friendVO({ id: FRIEND }), [FORMER]: friendVO({ id: FORMER, isDeleted: true }) },
    isLoaded: true,
  };
  const groups = { ...EMPTY_GROUPS, byId: { [GROUP]: groupVO({ id: GROUP }) }, isLoaded: true };

  const isStrayWith = (type: ChatType, targetId: number, part: Partial<Chat> = {}, isLoaded = true) => {
    const key = chatKey(type, targetId);
    const chats = { ...EMPTY_CHATS, byKey: { [key]: chat({ key, ...part }) }, order: [key] };
    const known = {
      contacts: { ...contacts, isLoaded },
      groups: { ...groups, isLoaded },
      me: userInfo(),
      firstChats: null,
    };
    return !visibleChats({ chats, ...known }).includes(key);
  };

  test.each([
    ["a person who was never a friend", ChatType.PRIVATE, STRANGER, true],
    ["a group that I was never in", ChatType.GROUP, STRANGER, true],
    ["a friend", ChatType.PRIVATE, FRIEND, false],
    ["a former friend", ChatType.PRIVATE, FORMER, false],
    ["myself", ChatType.PRIVATE, ME, false],
    ["a group of mine", ChatType.GROUP, GROUP, false],
    ["the system", ChatType.SYSTEM, 0, false],
  ])(
    "an empty chat with %s is left out of the list: type %s, id %i, %s",
    (_who, type, targetId, expected) => {
      expect(isStrayWith(type, targetId)).toBe(expected);
    },
  );

  test.each([ChatType.PRIVATE, ChatType.GROUP])(
    "a chat of type %s with somebody unknown stays while it has a draft or a message, and until friends and groups are loaded",
    (type) => {
      expect(isStrayWith(type, STRANGER, { draft: "hello" })).toBe(false);
      const { window } = chat({ key: chatKey(type, STRANGER) });
      expect(isStrayWith(type, STRANGER, { window: { ...window, messages: [localEcho("a")] } })).toBe(false);
      expect(isStrayWith(type, STRANGER, {}, false)).toBe(false);
    },
  );
});
