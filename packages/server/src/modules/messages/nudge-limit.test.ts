import { expect, test } from "vitest";
import { createNudgeLimit } from "./nudge-limit.ts";

const stored = async () => ({ row: 1, isNew: true });
const TOO_OFTEN = { key: "message.shakeTooOften" };

test("of more pairs than are remembered the one that shook first may shake again", async () => {
  const limitNudge = createNudgeLimit();
  const again = (sender: number) => limitNudge(sender, "chat", 1, stored);
  for (let sender = 0; sender < 10_000; sender++) await limitNudge(sender, "chat", 0, stored);
  await expect(again(0)).rejects.toMatchObject(TOO_OFTEN);
  await limitNudge(10_000, "chat", 0, stored);
  await expect(again(1)).rejects.toMatchObject(TOO_OFTEN);
  await again(0);
});

test("who shakes is no longer among those that shook first", async () => {
  const limitNudge = createNudgeLimit();
  for (let sender = 0; sender < 10_000; sender++) await limitNudge(sender, "chat", 0, stored);
  await limitNudge(0, "chat", 10_000, stored);
  await limitNudge(10_000, "chat", 10_000, stored);
  await expect(limitNudge(0, "chat", 10_001, stored)).rejects.toMatchObject(TOO_OFTEN);
});

test("ten seconds must be between two of a pair, and the seconds that are left are told", async () => {
  const limitNudge = createNudgeLimit();
  await limitNudge(1, "a", 5_000, stored);
  for (const [now, seconds] of [
    [5_000, 10],
    [5_001, 10],
    [14_000, 1],
    [14_999, 1],
  ] as const) {
    await expect(limitNudge(1, "a", now, stored)).rejects.toMatchObject({
      ...TOO_OFTEN,
      params: { seconds },
    });
  }
  await limitNudge(1, "b", 5_000, stored);
  await limitNudge(2, "a", 5_000, stored);
  await limitNudge(1, "a", 15_000, stored);
});

test("one that is not stored, or was stored before, leaves the last one as it was", async () => {
  const limitNudge = createNudgeLimit();
  const fails = () => Promise.reject(new Error("not stored"));
  const repeats = async () => ({ row: 1, isNew: false });
  await expect(limitNudge(1, "a", 0, fails)).rejects.toThrow("not stored");
  await limitNudge(1, "a", 0, stored);
  await expect(limitNudge(1, "a", 10_000, fails)).rejects.toThrow("not stored");
  expect(await limitNudge(1, "a", 10_000, repeats)).toEqual({ row: 1, isNew: false });
  await expect(limitNudge(1, "a", 9_999, stored)).rejects.toMatchObject(TOO_OFTEN);
  expect(await limitNudge(1, "a", 10_000, stored)).toEqual({ row: 1, isNew: true });
});
