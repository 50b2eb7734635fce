import { expect, test } from "vitest";
import { createNudgeLimit } from "./nudge-limit.ts";

const stored = async () => ({ row: 1, isNew: true });
const TOO_OFTEN = { key: "message.shakeTooOften" };

test("if more pairs nudge than are remembered, the oldest one is forgotten and may nudge again", async () => {
  const limitNudge = createNudgeLimit();
  const nudgeAgain = (sender: number) => limitNudge(sender, "chat", 1, stored);
  for (let sender = 0; sender < 10_000; sender++) await limitNudge(sender, "chat", 0, stored);
  await expect(nudgeAgain(0)).rejects.toMatchObject(TOO_OFTEN);
  await limitNudge(10_000, "chat", 0, stored);
  await expect(nudgeAgain(1)).rejects.toMatchObject(TOO_OFTEN);
  await nudgeAgain(0);
});

test("a pair that nudges again is no longer the oldest one", async () => {
  const limitNudge = createNudgeLimit();
  for (let sender = 0; sender < 10_000; sender++) await limitNudge(sender, "chat", 0, stored);
  await limitNudge(0, "chat", 10_000, stored);
  await limitNudge(10_000, "chat", 10_000, stored);
  await expect(limitNudge(0, "chat", 10_001, stored)).rejects.toMatchObject(TOO_OFTEN);
});

test("two nudges of a pair must be ten seconds apart, and the error gives the remaining seconds", async () => {
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

test("a nudge that is not stored, or was stored before, does not change the time of the last one", async () => {
  const limitNudge = createNudgeLimit();
  const fails = () => Promise.reject(new Error("not stored"));
  const appendsAgain = async () => ({ row: 1, isNew: false });
  await expect(limitNudge(1, "a", 0, fails)).rejects.toThrow("not stored");
  await limitNudge(1, "a", 0, stored);
  await expect(limitNudge(1, "a", 10_000, fails)).rejects.toThrow("not stored");
  expect(await limitNudge(1, "a", 10_000, appendsAgain)).toEqual({ row: 1, isNew: false });
  await expect(limitNudge(1, "a", 9_999, stored)).rejects.toMatchObject(TOO_OFTEN);
  expect(await limitNudge(1, "a", 10_000, stored)).toEqual({ row: 1, isNew: true });
});
