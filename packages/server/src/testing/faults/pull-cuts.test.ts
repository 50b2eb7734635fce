import { expect, test } from "vitest";
import { onServer } from "./on-server.ts";
import { runPullCuts } from "./pull-cuts.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test(`K20 a client that is cut anywhere in its pull shows in the end what one shows that was not (SEED=${seed})`, async () => {
  const { done, violations } = await onServer((url) => runPullCuts({ url, seed, rows: 60, every: 5 }));
  process.stdout.write(`K20 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K20 finds a client that does not come back", async () => {
  const { violations } = await onServer((url) =>
    runPullCuts({ url, seed, rows: 20, every: 7, isLeftCut: true }),
  );
  expect(violations.join("\n")).toContain("is shown as");
}, 120_000);
