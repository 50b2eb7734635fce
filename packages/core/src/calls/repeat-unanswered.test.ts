import { expect, test } from "vitest";
import type { Result } from "../model/state.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { SHORT_TIMEOUT, repeatUnanswered } from "./repeat-unanswered.ts";

const NONE: Result<null> = { ok: false, failure: { kind: "network", reason: "offline" } };
const DONE: Result<null> = { ok: true, value: null };

/** Makes a request that gets these answers, one after the other, each after this time, and lets 30 s pass. */
async function repeat(answers: readonly Result<null>[], wanted = 10, answerMs = 0) {
  const clock = createFakeClock();
  let made = 0;
  const result = repeatUnanswered(
    clock,
    async () => {
      const answer = answers[made++] ?? NONE;
      if (answerMs > 0) await new Promise<void>((resolve) => void clock.after(answerMs, resolve));
      return answer;
    },
    () => made <= wanted,
  );
  for (let second = 0; second < 30; second++) {
    await flushMicrotasks();
    clock.advance(1_000);
  }
  expect(clock.nextAt()).toBeNull();
  return { made, result: await result };
}

test("PC52 a request to a server that has died without closing its connections ends after 5 s, and is not made again after 10 s", async () => {
  expect(SHORT_TIMEOUT.timeoutMs).toBe(5_000);
  expect((await repeat([], 10, 5_000)).made).toBe(2);
  expect((await repeat([], 10, 30_000)).made).toBe(1);
});

test("a request that nobody answers is made again, three times at most", async () => {
  expect(await repeat([NONE, NONE, DONE])).toEqual({ made: 3, result: DONE });
  expect(await repeat([])).toEqual({ made: 4, result: NONE });
});

test("a refusal is an answer, and after the end of the call nothing is made again", async () => {
  const failure = { kind: "refused", code: 0, key: "call.busy", params: {}, message: "" } as const;
  expect(await repeat([{ ok: false, failure }])).toEqual({ made: 1, result: { ok: false, failure } });
  expect((await repeat([], 1)).made).toBe(2);
  expect((await repeat([], 0)).made).toBe(1);
});
