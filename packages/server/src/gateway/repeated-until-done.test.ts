import { expect, test } from "vitest";
import { RepeatedUntilDone } from "./repeated-until-done.ts";

function start() {
  const runs: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  let background = Promise.resolve();
  const repeated = new RepeatedUntilDone(
    () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    { inBackground: (work) => void (background = work), onError: (error) => errors.push(error) },
  );
  return { repeated, runs, errors, done: () => background };
}

test("requests during a run lead to one more run after it", async () => {
  const { repeated, runs, done } = start();
  repeated.request();
  repeated.request();
  repeated.request();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await done();
  repeated.retry();
  repeated.retry();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await done();
  repeated.retry();
  expect(runs).toHaveLength(2);
});

test("a run that fails is reported and tried again", async () => {
  const { repeated, runs, errors, done } = start();
  repeated.request();
  runs[0]?.reject(new Error("away"));
  await done();
  expect(errors).toEqual([new Error("away")]);
  repeated.retry();
  expect(runs).toHaveLength(2);
});
