import { expect, test } from "vitest";
import type { ChatType } from "@parley/protocol/codes";
import {
  advancePosition,
  feedQuery,
  type PullProgress,
  SYNC_START,
  withPulledExtras,
} from "./sync-position.ts";

const DONE: PullProgress = { isDone: true, newest: 9, isPaused: false };
const RUNNING: PullProgress = { isDone: false, newest: 9, isPaused: false };
const progress =
  (part: Partial<Record<ChatType, PullProgress>>, others = DONE) =>
  (type: ChatType) =>
    part[type] ?? others;

test("I3 a cursor moves to the newest row once the pull of its kind has ended, and never back", () => {
  const position = { ...SYNC_START, cursors: { PRIVATE: 4, GROUP: 20, SYSTEM: 4 } };
  expect(advancePosition(position, progress({ SYSTEM: RUNNING })).cursors).toEqual({
    PRIVATE: 9,
    GROUP: 20,
    SYSTEM: 4,
  });
});

test("I26 a cursor stays while an action of this client waits for its answer", () => {
  const after = advancePosition(SYNC_START, progress({ GROUP: { ...DONE, isPaused: true } }));
  expect(after.cursors).toEqual({ PRIVATE: 9, GROUP: 0, SYSTEM: 9 });
});

test("I8 the token of the change feed counts once all pulls have ended", () => {
  const position = { ...SYNC_START, changesToken: "1", nextToken: "2" };
  expect(advancePosition(position, progress({ GROUP: RUNNING }))).toMatchObject({
    changesToken: "1",
    nextToken: "2",
  });
  expect(advancePosition(position, progress({}))).toMatchObject({ changesToken: "2", nextToken: null });
});

test("I26 a paused cursor does not hold back the token", () => {
  const position = { ...SYNC_START, nextToken: "2" };
  const after = advancePosition(position, progress({ GROUP: { ...DONE, isPaused: true } }));
  expect(after.changesToken).toBe("2");
});

test("I8 without a new answer of the change feed its token stays", () => {
  const position = { ...SYNC_START, changesToken: "1" };
  expect(advancePosition(position, progress({}))).toMatchObject({ changesToken: "1", nextToken: null });
});

test("RE12 the first pulls count together: the lowest version up to which their rows have all extras", () => {
  const pulled = withPulledExtras(withPulledExtras(SYNC_START, 12), 10);
  expect(feedQuery(pulled, true)).toEqual({ since: undefined, extrasSince: 10 });
  const later = withPulledExtras({ ...pulled, changesToken: "1", extrasSince: 15 }, 20);
  expect(later.extrasSince).toBe(15);
});

test("RE12 the version of an answer counts once its extras are applied; a failed or older answer has none", () => {
  const position = { ...SYNC_START, extrasSince: 10, nextExtras: 14 };
  expect(advancePosition(position, progress({}, RUNNING))).toMatchObject({
    extrasSince: 14,
    nextExtras: null,
  });
  expect(advancePosition({ ...position, nextExtras: null }, progress({})).extrasSince).toBe(10);
});

test("RE12 a device without messages asks for no extras, one of 0.1.0 with messages for all", () => {
  expect(feedQuery(SYNC_START, true)).toEqual({ since: undefined, extrasSince: undefined });
  const cursors = { PRIVATE: 4, GROUP: 0, SYSTEM: 0 };
  expect(feedQuery({ ...SYNC_START, cursors, changesToken: "7" }, true)).toEqual({
    since: "7",
    extrasSince: 0,
  });
  expect(feedQuery({ ...SYNC_START, cursors, changesToken: "7" }, false).since).toBeUndefined();
});
