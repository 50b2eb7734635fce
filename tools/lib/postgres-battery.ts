import type { Report } from "@parley/reliability/faults/report";
import { runUnitTests } from "./test-runners.ts";

const FOLDERS = ["modules", "gateway", "http"].map((name) => `packages/server/src/${name}`);
/** Some of their tests look into the file of SQLite, or choose the database themselves. */
const ON_SQLITE = [
  "call-chaos",
  "large-group",
  "login",
  "recall-private-message",
  "recalled-files",
  "stored-files",
];

/** Runs the tests of the server through its ports on PostgreSQL. In `npm test` they run on SQLite. */
export async function runPostgresBattery(): Promise<Report> {
  const excluded = ON_SQLITE.map((name) => `--exclude=**/${name}.test.ts`);
  const args = ["--project=node", ...FOLDERS, ...excluded];
  const { passed, failures } = await runUnitTests(args, { TEST_STORE: "postgres" });
  return { name: "POSTGRES", done: `${passed} tests of the server on PostgreSQL`, violations: failures };
}
