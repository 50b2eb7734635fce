import { expect, test } from "vitest";
import type { FriendVO, GroupVO } from "@parley/protocol/entities";
import { availableSettings } from "./chat-commands.tsx";

const friends = {
  2: { id: 2, isDeleted: false } as FriendVO,
  3: { id: 3, isDeleted: true } as FriendVO,
};
const groups = {
  byId: {
    2: { quit: false, dissolve: false } as GroupVO,
    3: { quit: true, dissolve: false } as GroupVO,
  },
};
const settingsOf = (type: "PRIVATE" | "GROUP" | "SYSTEM", targetId: number, isTop = false, isNotes = false) =>
  availableSettings({ type, targetId, isTop }, friends, groups, isNotes);

test("friends and groups can be pinned and muted, the system chat can be pinned", () => {
  expect(settingsOf("PRIVATE", 2)).toEqual({ pin: true, remind: true });
  expect(settingsOf("GROUP", 2)).toEqual({ pin: true, remind: true });
  expect(settingsOf("SYSTEM", 0)).toEqual({ pin: true, remind: false });
  expect(settingsOf("GROUP", 3, true)).toEqual({ pin: false, remind: false });
});

test("a chat with a former friend has no settings, but can be unpinned", () => {
  expect(settingsOf("PRIVATE", 3)).toEqual({ pin: false, remind: false });
  expect(settingsOf("PRIVATE", 3, true)).toEqual({ pin: true, remind: false });
  // A person who was never a friend.
  expect(settingsOf("PRIVATE", 1)).toEqual({ pin: false, remind: false });
});

test("the chat with oneself can be pinned but not muted", () => {
  expect(settingsOf("PRIVATE", 1, false, true)).toEqual({ pin: true, remind: false });
  expect(settingsOf("PRIVATE", 1, true, true)).toEqual({ pin: true, remind: false });
});
