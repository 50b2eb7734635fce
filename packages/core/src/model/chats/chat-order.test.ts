import { expect, test } from "vitest";
import { chat } from "../../testing/builders.ts";
import { sortedChatKeys, withNewChatsFirst } from "./chat-order.ts";
import type { Chat, ChatKey, Chats } from "../state.ts";

const of = (...chats: Chat[]): Chats["byKey"] => Object.fromEntries(chats.map((one) => [one.key, one]));
const at = (key: ChatKey, lastSendTime: number, part: Partial<Chat> = {}): Chat =>
  chat({ key, lastSendTime, ...part });

test("M20 pinned ones stand first, however old; then the newest; equal times in the order of their keys", () => {
  const byKey = of(
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

test("M20 the list is the same value while nothing moved, and only then", () => {
  const byKey = of(at("PRIVATE:2", 2), at("PRIVATE:3", 1));
  const before: ChatKey[] = ["PRIVATE:2", "PRIVATE:3"];
  expect(sortedChatKeys(before, byKey)).toBe(before);
  expect(sortedChatKeys(before.toReversed(), byKey)).toEqual(before);
  expect(sortedChatKeys([...before, "PRIVATE:4"], byKey)).toEqual(before);
  expect(sortedChatKeys(before, of(at("PRIVATE:2", 2)))).toEqual(["PRIVATE:2"]);
});

test("M21 while a pull runs what is there stays in its place, and what is new stands in front, sorted", () => {
  const before: ChatKey[] = ["PRIVATE:3", "PRIVATE:2"];
  const two = [at("PRIVATE:2", 9), at("PRIVATE:3", 1)];
  expect(withNewChatsFirst(before, of(...two))).toBe(before);
  expect(withNewChatsFirst(before, of(...two, at("PRIVATE:4", 5), at("PRIVATE:5", 6)))).toEqual([
    "PRIVATE:5",
    "PRIVATE:4",
    "PRIVATE:3",
    "PRIVATE:2",
  ]);
  expect(withNewChatsFirst(before, of(...two, at("PRIVATE:4", 5, { isRemoved: true })))).toBe(before);
});

test("M21 what is taken from the list goes also meanwhile", () => {
  const before: ChatKey[] = ["PRIVATE:3", "PRIVATE:2"];
  const [two, three] = [at("PRIVATE:2", 9), at("PRIVATE:3", 1, { isRemoved: true })];
  expect(withNewChatsFirst(before, of(two, three))).toEqual(["PRIVATE:2"]);
  expect(withNewChatsFirst(before, of(two, three, at("PRIVATE:4", 5)))).toEqual(["PRIVATE:4", "PRIVATE:2"]);
  expect(withNewChatsFirst(before, of(two, at("PRIVATE:4", 5)))).toEqual(["PRIVATE:4", "PRIVATE:2"]);
});
