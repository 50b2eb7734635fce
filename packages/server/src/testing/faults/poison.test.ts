import { expect, test } from "vitest";
import { inFolder } from "./on-server.ts";
import { runPoison } from "./poison.ts";

test("K38 a row that cannot be read costs its own place in a pull and nothing else; the planted loss is found", async () => {
  const { done, violations } = await inFolder((dataDir) =>
    runPoison({ dataDir, messages: 8, isLosing: true }),
  );
  process.stdout.write(`K38 ${done}\n`);
  expect(violations).toEqual([expect.stringMatching(/^the private message \d+ is missing$/)]);
}, 120_000);
