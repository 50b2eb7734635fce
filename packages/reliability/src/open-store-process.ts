/**
 * A process that opens the store in argv[2], as a server does when it starts. With argv[3] it kills itself with SIGKILL before
 * the SQL statement of that number. Otherwise it prints how many statements there were, or the name of the error.
 */
import { writeSync } from "node:fs";
import Database from "better-sqlite3";
import { openStore } from "@parley/server/adapters/store/open-store";

const [, , url, killBefore] = process.argv;
if (url === undefined) throw new Error("usage: open-store-process.ts <database file> [statement]");

let statements = 0;
function countStatement(): void {
  statements += 1;
  if (statements !== Number(killBefore)) return;
  process.kill(process.pid, "SIGKILL");
  // Wait for the signal.
  for (;;);
}
const { prepare, exec } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, source: string) {
  countStatement();
  return prepare.call(this, source);
} as typeof prepare;
Database.prototype.exec = function (this: Database.Database, source: string) {
  countStatement();
  return exec.call(this, source);
};

try {
  const store = await openStore({
    url,
    onFatal: (error) => {
      throw error;
    },
  });
  const openStatements = statements;
  await store.close();
  writeSync(1, String(openStatements));
} catch (error) {
  writeSync(1, error instanceof Error ? error.constructor.name : String(error));
}
