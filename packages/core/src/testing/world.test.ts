import { expect, test } from "vitest";
import { runWorld } from "./world.ts";

const SEEDS = Number(process.env["SEEDS"] ?? 30);
const FROM = Number(process.env["SEED"] ?? 1);

test("world", { timeout: 120_000 }, async () => {
  let bad = 0;
  for (let seed = FROM; seed < FROM + SEEDS; seed++) {
    const result = await runWorld({ seed });
    if (result.problems.length > 0) {
      console.log(seed, result.problems.slice(0, 3).join("\n"));
      if (++bad > 3) break;
    }
  }
  expect(bad).toBe(0);
});
