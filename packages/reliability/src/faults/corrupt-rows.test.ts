import { expect, test } from "vitest";
import { withTempFolder } from "./with-server.ts";
import { runCorruptRows } from "./corrupt-rows.ts";

test("K38 a pull replaces an unreadable row by a placeholder and loses nothing else; a planted loss is reported", async () => {
  const { done, violations } = await withTempFolder((dataDir) =>
    runCorruptRows({ dataDir, messages: 8, isLosing: true }),
  );
  process.stdout.write(`K38 ${done}\n`);
  expect(violations).toEqual([expect.stringMatching(/^the private message \d+ is missing$/)]);
}, 120_000);
