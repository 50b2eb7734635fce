import { expect, test } from "vitest";
import type { Result } from "../model/state.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createSyncedList } from "./synced-list.ts";

function setUp() {
  const answers: ((answer: string) => void)[] = [];
  const applied: string[] = [];
  const list = createSyncedList<string>(
    () => new Promise((resolve) => answers.push(resolve)),
    (answer): Result<null> => {
      applied.push(answer);
      return answer === "failed"
        ? { ok: false, failure: { kind: "network", reason: "offline" } }
        : { ok: true, value: null };
    },
  );
  return { answers, applied, list };
}

test("the newest request wins, whichever is answered first", async () => {
  const { answers, applied, list } = setUp();
  const first = list.reload();
  const second = list.reload();
  answers[1]?.("new");
  answers[0]?.("old");
  expect([await first, await second]).toEqual([
    { ok: true, value: null },
    { ok: true, value: null },
  ]);
  expect(applied).toEqual(["new"]);
});

test("an answer that is older than a change is requested again", async () => {
  const { answers, applied, list } = setUp();
  const reloaded = list.reload();
  list.markChanged();
  answers[0]?.("outdated");
  await flushMicrotasks();
  expect(applied).toEqual([]);
  answers[1]?.("failed");
  expect((await reloaded).ok).toBe(false);
  expect(applied).toEqual(["failed"]);
});

test("a check says whether the list has changed since it was created", () => {
  const { list } = setUp();
  list.markChanged();
  const hasChanged = list.watchChanges();
  expect(hasChanged()).toBe(false);
  list.markChanged();
  expect(hasChanged()).toBe(true);
});
