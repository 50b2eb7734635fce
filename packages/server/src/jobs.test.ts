import { expect, test } from "vitest";
import { createJobs } from "./jobs.ts";

test("a clock that is set back does not delay a job", async () => {
  let time = 1_000_000_000;
  let runs = 0;
  const jobs = createJobs(
    () => time,
    () => undefined,
  );
  jobs.every(60_000, async () => void runs++);
  const advance = async (ms: number) => {
    time += ms;
    jobs.sweep();
    await new Promise((resolve) => setImmediate(resolve));
  };
  await advance(59_999);
  expect(runs).toBe(0);
  await advance(1);
  expect(runs).toBe(1);
  await advance(-900_000_000);
  await advance(59_999);
  expect(runs).toBe(1);
  await advance(1);
  expect(runs).toBe(2);
});
