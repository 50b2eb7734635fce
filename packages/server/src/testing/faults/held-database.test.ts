import { expect, test } from "vitest";
import { runHeldDatabase } from "./held-database.ts";
import { inFolder } from "./on-server.ts";

test("K8 writes wait for another program that keeps the database, and reads do not", async () => {
  const { done, violations } = await inFolder((dataDir) =>
    runHeldDatabase({ dataDir, reads: 5, isRefusing: false }),
  );
  process.stdout.write(`K8 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K8 finds that nothing waits where nobody keeps it", async () => {
  const { violations } = await inFolder((dataDir) =>
    runHeldDatabase({ dataDir, reads: 50, isRefusing: false, isFree: true }),
  );
  expect(violations).toEqual(["a write did not wait, or reads waited for it"]);
}, 120_000);
