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

it("is there when the first unread message and one above it are in the window", () => {
  expect(initialPositionState(chat(10, [5, 12]))).toBe("elsewhere");
  expect(initialPositionState(chat(5, [5, 12]))).toBe("edge");
  expect(initialPositionState(chat(4, [5, 12]))).toBe("there");
  expect(initialPositionState(chat(10, []))).toBe("there");
});

it("is there if no older message exists or can be loaded", () => {
  expect(initialPositionState(chat(5, [5], { hasOlder: false }))).toBe("there");
  expect(initialPositionState(chat(10, [5], { older: "failed" }))).toBe("there");
});
