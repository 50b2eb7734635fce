import { expect, test } from "vitest";
import { changedLevel, levelAfter } from "./alert-level.ts";

const lasting = (msgRemind: number) => ({ msgRemind, msgRemindUntil: null, msgRemindAfter: null });

test.each([
  ["without an end, it stays", lasting(1), { msgRemind: 0, until: null }, lasting(0)],
  [
    "with an end, the level before follows",
    lasting(1),
    { msgRemind: 2, until: 50 },
    { msgRemind: 2, msgRemindUntil: 50, msgRemindAfter: 1 },
  ],
  [
    "with another end, the level that lasted follows",
    { msgRemind: 2, msgRemindUntil: 50, msgRemindAfter: 1 },
    { msgRemind: 2, until: 90 },
    { msgRemind: 2, msgRemindUntil: 90, msgRemindAfter: 1 },
  ],
  [
    "with an end after the same level without one, the usual level follows",
    lasting(2),
    { msgRemind: 2, until: 50 },
    { msgRemind: 2, msgRemindUntil: 50, msgRemindAfter: 0 },
  ],
  [
    "without an end after one with an end, nothing follows",
    { msgRemind: 2, msgRemindUntil: 50, msgRemindAfter: 1 },
    { msgRemind: 2, until: null },
    lasting(2),
  ],
])("MU1 an alert level that is set %s", (_, before, set, expected) => {
  expect(changedLevel(before, { ...set, usual: 0 })).toEqual(expected);
});

test.each([
  [49, null],
  [50, lasting(1)],
  [51, lasting(1)],
])("MU2 a level until 50 gives way at %i to %o", (now, expected) => {
  expect(levelAfter({ msgRemind: 2, msgRemindUntil: 50, msgRemindAfter: 1 }, now)).toEqual(expected);
  expect(levelAfter(lasting(2), now)).toBeNull();
});
