import { expect, test } from "vitest";
import type { Chat } from "@parley/core/model/state";
import { initialPositionState } from "./use-initial-position.ts";

const chat = (oldest: number | null, unread: number[], rest: Partial<Chat["window"]> = {}) =>
  ({
    sync: { unread },
    window: {
      messages: oldest === null ? [] : [{ id: oldest, system: null }],
      hasOlder: true,
      older: "idle",
      ...rest,
    },
  }) as unknown as Chat;

test("is there when the first unread message and one above it are in the window", () => {
  expect(initialPositionState(chat(10, [5, 12]), "firstUnread")).toBe("elsewhere");
  expect(initialPositionState(chat(5, [5, 12]), "firstUnread")).toBe("edge");
  expect(initialPositionState(chat(4, [5, 12]), "firstUnread")).toBe("there");
  expect(initialPositionState(chat(10, []), "firstUnread")).toBe("there");
});

test("is there if no older message exists or can be loaded", () => {
  expect(initialPositionState(chat(5, [5], { hasOlder: false }), "firstUnread")).toBe("there");
  expect(initialPositionState(chat(10, [5], { older: "failed" }), "firstUnread")).toBe("there");
});

test("is there when the newest messages are in the window, for people who open chats at the newest one", () => {
  expect(initialPositionState(chat(10, [5, 12], { hasNewer: false }), "newest")).toBe("there");
  expect(initialPositionState(chat(4, [5, 12], { hasNewer: true }), "newest")).toBe("elsewhere");
});
