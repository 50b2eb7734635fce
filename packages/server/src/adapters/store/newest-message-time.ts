/** The newest time of a message, for what does not open the store. */
import Database from "better-sqlite3";

const MS_PER_SECOND = 1_000;

/** How far the newest message of a SQLite file lies in the future, in ms; not positive if none does. */
export function sqliteMessagesAheadMs(path: string, now: number): number {
  const db = new Database(path, { fileMustExist: true, readonly: true });
  try {
    const time = db.prepare("select sendTime from message order by id desc limit 1").pluck().get();
    return typeof time === "number" ? time - now : -Infinity;
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
    const { rows } = await client.query<{ ahead: number | null }>(
      `select (m."sendTime" - extract(epoch from clock_timestamp()) * ${MS_PER_SECOND})::float8 as ahead from message m order by m.id desc limit 1`,
    );
    return rows[0]?.ahead ?? -Infinity;
  } finally {
    await client.end().catch(() => undefined);
  }
}
