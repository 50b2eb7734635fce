import { expect, test } from "vitest";
import { onServer } from "./on-server.ts";
import { runReplays } from "./replays.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test(`K22 what comes twice or out of order changes nothing in the end (SEED=${seed})`, async () => {
  const { done, violations } = await onServer((url) => runReplays({ url, seed, worlds: 1, deeds: 80 }));
  process.stdout.write(`K22 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K22 finds what is lost", async () => {
  const { violations } = await onServer((url) =>
    runReplays({ url, seed: 1, worlds: 1, deeds: 30, loses: true, sameMs: 500 }),
  );
  expect(violations.join("\n")).toContain("is shown as");
}, 120_000);
