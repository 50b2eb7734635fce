import { expect, it } from "vitest";
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

it("waits until the first unread message is in the window, with something above it", () => {
  expect(initialPositionState(chat(10, [5, 12]))).toBe("elsewhere");
  expect(initialPositionState(chat(5, [5, 12]))).toBe("edge");
  expect(initialPositionState(chat(4, [5, 12]))).toBe("there");
  expect(initialPositionState(chat(10, []))).toBe("there");
});

it("waits for nothing when no older message is to be had", () => {
  expect(initialPositionState(chat(5, [5], { hasOlder: false }))).toBe("there");
  expect(initialPositionState(chat(10, [5], { older: "failed" }))).toBe("there");
});
