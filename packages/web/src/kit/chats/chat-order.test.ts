import { expect, test } from "vitest";
import type { Chat, ChatKey, Chats } from "@parley/core/model/state";
import { nextChat, nextUnread } from "./chat-order.ts";

const order: ChatKey[] = ["PRIVATE:1", "PRIVATE:2", "PRIVATE:3", "PRIVATE:4"];

/** Four ordinary chats with these changes, by the number of the chat. */
function chats(parts: Readonly<Record<number, Partial<Chat>>>): Pick<Chats, "order" | "byKey"> {
  const ordinary = {
    type: "PRIVATE",
    msgRemind: 1,
    unread: 0,
    isMarkedUnread: false,
    atMe: false,
    atAll: false,
  } as unknown as Chat;
  const byKey = order.map((key, index) => [key, { ...ordinary, ...parts[index + 1] }] as const);
  return { order, byKey: Object.fromEntries(byKey) };
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
  const state = chats({ 2: { unread: 9, msgRemind: 0 }, 4: { isMarkedUnread: true } });
  expect(nextUnread(state, "PRIVATE:1", 1)).toBe("PRIVATE:4");
  expect(nextUnread(chats({ 2: { unread: 9, msgRemind: 0 } }), "PRIVATE:1", 1)).toBe("PRIVATE:2");
  const withMention = chats({ 2: { unread: 9, msgRemind: 0, atAll: true }, 4: { unread: 1 } });
  expect(nextUnread(withMention, "PRIVATE:1", 1)).toBe("PRIVATE:2");
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
  expect(nextUnread({ order: [], byKey: {} }, null, 1)).toBeNull();
});
