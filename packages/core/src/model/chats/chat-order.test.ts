import { expect, test } from "vitest";
import { chat } from "../../testing/builders.ts";
import { sortedChatKeys, withNewChatsFirst } from "./chat-order.ts";
import type { Chat, ChatKey, Chats } from "../state.ts";

const byKeyOf = (...chats: Chat[]): Chats["byKey"] =>
  Object.fromEntries(chats.map((listed) => [listed.key, listed]));
const at = (key: ChatKey, lastSendTime: number, part: Partial<Chat> = {}): Chat =>
  chat({ key, lastSendTime, ...part });

test("M20 pinned chats come first however old, then newest first, with equal times by key", () => {
  const byKey = byKeyOf(
    at("PRIVATE:4", 5),
    at("PRIVATE:3", 5),
    at("PRIVATE:5", 9),
    at("PRIVATE:6", 1, { isTop: true }),
    at("PRIVATE:7", 2, { isTop: true }),
    at("PRIVATE:8", 10, { isRemoved: true }),
  );
  const order = ["PRIVATE:7", "PRIVATE:6", "PRIVATE:5", "PRIVATE:3", "PRIVATE:4"];
  expect(sortedChatKeys([], byKey)).toEqual(order);
  const mirrored = Object.fromEntries(Object.entries(byKey).toReversed());
  expect(sortedChatKeys([], mirrored)).toEqual(order);
});

test("M20 the order keeps its identity only while nothing moves", () => {
  const byKey = byKeyOf(at("PRIVATE:2", 2), at("PRIVATE:3", 1));
  const previous: ChatKey[] = ["PRIVATE:2", "PRIVATE:3"];
  expect(sortedChatKeys(previous, byKey)).toBe(previous);
  expect(sortedChatKeys(previous.toReversed(), byKey)).toEqual(previous);
  expect(sortedChatKeys([...previous, "PRIVATE:4"], byKey)).toEqual(previous);
  expect(sortedChatKeys(previous, byKeyOf(at("PRIVATE:2", 2)))).toEqual(["PRIVATE:2"]);
});

test("M21 while a pull runs, known chats stay in place and new ones come first in order", () => {
  const previous: ChatKey[] = ["PRIVATE:3", "PRIVATE:2"];
  const two = [at("PRIVATE:2", 9), at("PRIVATE:3", 1)];
  expect(withNewChatsFirst(previous, byKeyOf(...two))).toBe(previous);
  expect(withNewChatsFirst(previous, byKeyOf(...two, at("PRIVATE:4", 5), at("PRIVATE:5", 6)))).toEqual([
    "PRIVATE:5",
    "PRIVATE:4",
    "PRIVATE:3",
    "PRIVATE:2",
  ]);
  expect(withNewChatsFirst(previous, byKeyOf(...two, at("PRIVATE:4", 5, { isRemoved: true })))).toBe(
    previous,
  );
});

test("M21 a chat that is removed while a pull runs leaves the list", () => {
  const previous: ChatKey[] = ["PRIVATE:3", "PRIVATE:2"];
  const [two, three] = [at("PRIVATE:2", 9), at("PRIVATE:3", 1, { isRemoved: true })];
  expect(withNewChatsFirst(previous, byKeyOf(two, three))).toEqual(["PRIVATE:2"]);
  expect(withNewChatsFirst(previous, byKeyOf(two, three, at("PRIVATE:4", 5)))).toEqual([
    "PRIVATE:4",
    "PRIVATE:2",
  ]);
  expect(withNewChatsFirst(previous, byKeyOf(two, at("PRIVATE:4", 5)))).toEqual(["PRIVATE:4", "PRIVATE:2"]);
});
