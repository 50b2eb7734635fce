import { expect, test } from "vitest";
import { ownLease } from "./job-lease.ts";
import { createJobs } from "./jobs.ts";

test("a clock that is set back does not delay a job", async () => {
  let time = 1_000_000_000;
  let runs = 0;
  const jobs = createJobs(
    () => time,
    () => undefined,
    ownLease,
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

test("a job for one node runs only where the lease is, and there at once if it was due before", async () => {
  let time = 0;
  let isHeld = false;
  const runs: string[] = [];
  const jobs = createJobs(
    () => time,
    () => undefined,
    { isHeld: () => isHeld },
  );
  jobs.everyForOne(60_000, async () => void runs.push("for one"));
  jobs.every(60_000, async () => void runs.push("for each"));
  time = 90_000;
  jobs.sweep();
  expect(runs).toEqual(["for each"]);
  isHeld = true;
  jobs.sweep();
  expect(runs).toEqual(["for each", "for one"]);
});
