/** The newest time of a message, for what does not open the store. */
import Database from "better-sqlite3";

const TABLES = ["privateMessage", "groupMessage"] as const;
const MS_PER_SECOND = 1_000;

/** How far the newest message of a SQLite file lies in the future, in ms; not positive if none does. */
export function sqliteMessagesAheadMs(path: string, now: number): number {
  const db = new Database(path, { fileMustExist: true, readonly: true });
  try {
    const times = TABLES.map((table) =>
      db.prepare(`select sendTime from ${table} order by id desc limit 1`).pluck().get(),
    );
    return Math.max(...times.map((time) => (typeof time === "number" ? time - now : -Infinity)));
  } finally {
    db.close();
  }
}

/** The same for a PostgreSQL database, by its own clock. */
export async function postgresMessagesAheadMs(url: string): Promise<number> {
  const { Client } = await import("pg");
  const client = new Client({ connectionString: url });
  // Queries report it too.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const newest = TABLES.map((table) => `(select "sendTime" from "${table}" order by id desc limit 1)`);
    const { rows } = await client.query<{ ahead: number | null }>(
      `select (greatest(${newest.join(", ")}) - extract(epoch from clock_timestamp()) * ${MS_PER_SECOND})::float8 as ahead`,
    );
    return rows[0]?.ahead ?? -Infinity;
  } finally {
    await client.end().catch(() => undefined);
  }
}
