import { expect, test } from "vitest";
import { runFlapping } from "./flapping.ts";
import { onServer } from "./on-server.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test(`K24 a line that comes and goes neither loses, doubles nor reorders, and is told of once a minute (SEED=${seed})`, async () => {
  const { done, violations } = await onServer((url) => runFlapping({ url, seed, minutes: 1, haste: 20 }));
  process.stdout.write(`K24 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K24 finds a message that is written twice", async () => {
  const { violations } = await onServer((url) =>
    runFlapping({ url, seed, minutes: 0.5, haste: 20, isForgetful: true }),
  );
  expect(violations.join("\n")).toContain("in this order");
}, 120_000);
