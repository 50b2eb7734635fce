/**
 * A process that opens the store in argv[2], as a server does when it starts. With argv[3] it ends, as by kill -9, before the
 * statement of that number; else it prints how many there were, or the name of the error.
 */
import { writeSync } from "node:fs";
import Database from "better-sqlite3";
import { openStore } from "../adapters/store/open-store.ts";

const [, , url, stop] = process.argv;
if (url === undefined) throw new Error("usage: open-store-process.ts <database file> [statement]");

let statements = 0;
function count(): void {
  statements += 1;
  if (statements !== Number(stop)) return;
  process.kill(process.pid, "SIGKILL");
  // The signal comes while this waits.
  for (;;);
}
const { prepare, exec } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, source: string) {
  count();
  return prepare.call(this, source);
} as typeof prepare;
Database.prototype.exec = function (this: Database.Database, source: string) {
  count();
  return exec.call(this, source);
};

try {
  const store = await openStore({
    url,
    onFatal: (error) => {
      throw error;
    },
  });
  const opening = statements;
  await store.close();
  writeSync(1, String(opening));
} catch (error) {
  writeSync(1, error instanceof Error ? error.constructor.name : String(error));
}
