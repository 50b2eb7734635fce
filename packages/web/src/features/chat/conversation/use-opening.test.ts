import { expect, it } from "vitest";
import type { Chat } from "@parley/core/model/state";
import { reachesUnread } from "./use-opening.ts";

const chat = (oldest: number | null, unread: number[], rest: Partial<Chat["window"]> = {}) =>
  ({
    book: { unread },
    window: {
      messages: oldest === null ? [] : [{ id: oldest, system: null }],
      hasOlder: true,
      older: "idle",
      ...rest,
    },
  }) as unknown as Chat;

it("waits until the first unread message is in the window, with something above it", () => {
  expect(reachesUnread(chat(10, [5, 12]))).toBe(false);
  expect(reachesUnread(chat(5, [5, 12]))).toBe(false);
  expect(reachesUnread(chat(4, [5, 12]))).toBe(true);
  expect(reachesUnread(chat(10, []))).toBe(true);
});

it("waits for nothing when no older message is to be had", () => {
  expect(reachesUnread(chat(10, [5], { hasOlder: false }))).toBe(true);
  expect(reachesUnread(chat(10, [5], { older: "failed" }))).toBe(true);
});
