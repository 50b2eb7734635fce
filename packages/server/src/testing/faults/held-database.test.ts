import { expect, test } from "vitest";
import { runHeldDatabase } from "./held-database.ts";
import { inFolder } from "./on-server.ts";

test("K8 writes wait for another program that keeps the database, and reads do not; the planted one that does not wait is found", async () => {
  const { done, violations } = await inFolder((dataDir) =>
    runHeldDatabase({ dataDir, reads: 20, isRefusing: false, isFree: true }),
  );
  process.stdout.write(`K8 ${done}\n`);
  expect(violations).toEqual(["the write that waits for nobody did not, or reads waited for it"]);
}, 120_000);
