/** Starts main.ts with commits that do not wait for the disk. The battery of power cuts must find this. */
import Database from "better-sqlite3";

const { pragma } = Database.prototype;
Database.prototype.pragma = function (this: Database.Database, source, options) {
  const weaker = source.replace("synchronous = FULL", "synchronous = NORMAL");
  return pragma.call(this, weaker, options);
};

await import("@parley/server/main");
