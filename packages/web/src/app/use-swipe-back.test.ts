import { expect, test } from "vitest";
import { parentPath } from "./use-swipe-back.ts";

test("SC3 a chat, a friend, a group, its members and the settings have a page above them; the lists have none", () => {
  expect(parentPath("/home/chat/PRIVATE:7")).toBe("/home/chat");
  expect(parentPath("/home/friend/7")).toBe("/home/friend");
  expect(parentPath("/home/group/7")).toBe("/home/group");
  expect(parentPath("/home/group/7/members")).toBe("/home/group/7");
  expect(parentPath("/home/me/settings")).toBe("/home/me");
  expect(parentPath("/home/chat")).toBeNull();
  expect(parentPath("/login")).toBeNull();
});
