/** The server as main.ts starts it, but its commits do not wait for the disk: what the battery of power cuts must find. */
import Database from "better-sqlite3";

const { pragma } = Database.prototype;
Database.prototype.pragma = function (this: Database.Database, source, options) {
  const weaker = source.replace("synchronous = FULL", "synchronous = NORMAL");
  return pragma.call(this, weaker, options);
};

await import("../main.ts");
