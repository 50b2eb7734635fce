import { expect, test } from "vitest";
import { inFolder } from "./on-server.ts";
import { runStorm } from "./storm.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test(`K23 all clients that are cut at once come back at the first try and miss nothing (SEED=${seed})`, async () => {
  const { done, violations } = await inFolder((dataDir) =>
    runStorm({ dataDir, clients: 40, storms: 2, haste: 20, seed }),
  );
  process.stdout.write(`K23 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K23 finds clients that do not come back", async () => {
  const { violations } = await inFolder((dataDir) =>
    runStorm({ dataDir, clients: 4, storms: 1, haste: 20, seed, lost: 1 }),
  );
  expect(violations.join("\n")).toContain("opened 1 sockets in 1 storms");
}, 120_000);
