import { expect, test } from "vitest";
import type { Chat } from "@parley/core/model/state";
import { initialPositionState, pagesToLoad } from "./chat-window.ts";

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

const both = { hasOlder: true, older: "idle", hasNewer: true, newer: "idle" } as const;
const view = (above: number, below: number) => ({ above, below, height: 500 });

test("pages are loaded when less than two view heights are left", () => {
  expect(pagesToLoad(both, view(1_000, 1_001), false)).toEqual({ older: true, newer: false });
  expect(pagesToLoad(both, view(1_001, 1_000), false)).toEqual({ older: false, newer: true });
});

test("older messages are not loaded ahead before the first scroll", () => {
  expect(pagesToLoad(both, view(51, 0), true).older).toBe(false);
  expect(pagesToLoad(both, view(50, 0), true).older).toBe(true);
});

test("pages that do not exist, are being loaded or have failed are not loaded", () => {
  const neither = { older: false, newer: false };
  expect(pagesToLoad({ ...both, hasOlder: false, hasNewer: false }, view(0, 0), false)).toEqual(neither);
  expect(pagesToLoad({ ...both, older: "loading", newer: "failed" }, view(0, 0), false)).toEqual(neither);
});
