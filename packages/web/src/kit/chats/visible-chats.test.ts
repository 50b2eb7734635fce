import { expect, test } from "vitest";
import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { EMPTY_CHATS, EMPTY_CONTACTS, EMPTY_GROUPS } from "@parley/core/model/signed-out-state";
import type { Chat } from "@parley/core/model/state";
import { chat, friendVO, groupVO, localEcho, ME, userInfo } from "@parley/core/testing/builders";
import { visibleChats } from "./visible-chats.ts";

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
])("an empty chat with %s is left out of the list: type %s, id %i, %s", (_who, type, targetId, expected) => {
  expect(isStrayWith(type, targetId)).toBe(expected);
});

test.each([ChatType.PRIVATE, ChatType.GROUP])(
  "a chat of type %s with somebody unknown stays while it has a draft or a message, and until friends and groups are loaded",
  (type) => {
    expect(isStrayWith(type, STRANGER, { draft: "hello" })).toBe(false);
    const { window } = chat({ key: chatKey(type, STRANGER) });
    expect(isStrayWith(type, STRANGER, { window: { ...window, messages: [localEcho("a")] } })).toBe(false);
    expect(isStrayWith(type, STRANGER, {}, false)).toBe(false);
  },
);
