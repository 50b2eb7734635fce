/** Checks a PostgreSQL database without changing it. What its pages and indexes contain is for PostgreSQL's own tools, such as `pg_amcheck`. */
import { Client } from "pg";
import { FileUse } from "./file-repository.ts";
import type { IntegrityReport } from "./integrity.ts";

const ROWS_MAX = 20;
/** Settings without which a power cut may lose what was acknowledged, or damage the database. */
const DURABLE = ["fsync", "full_page_writes"];

/** Checks the database at this URL: settings of the server, the order of messages, and pictures of people. */
export async function checkPostgresIntegrity(url: string): Promise<IntegrityReport> {
  const client = new Client({ connectionString: url });
  // Queries report it too.
  client.on("error", () => undefined);
  const select = async (sql: string, values: unknown[] = []) =>
    (await client.query(sql, values)).rows as Record<string, unknown>[];
  const problems: string[] = [];
  let files: IntegrityReport["files"] = [];
  try {
    await client.connect();
    const settings = await select(
      "select name from pg_settings where name = any($1) and setting = 'off' order by name",
      [DURABLE],
    );
    for (const { name } of settings)
      problems.push(`PostgreSQL runs with ${String(name)} = off: a power cut may lose messages.`);
    const early = await select(
      `select id from (select id, "sendTime" < lag("sendTime") over (order by id) as "isEarly" from message) as m where "isEarly" limit $1`,
      [ROWS_MAX],
    );
    if (early.length > 0)
      problems.push(`message: earlier than the row before are ${early.map(({ id }) => id).join(", ")}.`);
    const people = await select(
      `select "userName" from "user" where "headImage" like '/files/%' and "headImage" not in (select url from file) limit $1`,
      [ROWS_MAX],
    );
    if (people.length > 0)
      problems.push(
        `Pictures that no file is known of have: ${people.map((row) => row["userName"]).join(", ")}.`,
      );
    const rows = (await select("select url, bytes, sha256, use from file")) as {
      url: string;
      bytes: string;
      sha256: string | null;
      use: number;
    }[];
    files = rows.map(({ url: fileUrl, bytes, sha256, use }) => ({
      url: fileUrl,
      // The driver reads 64-bit numbers as text.
      bytes: Number(bytes),
      sha256,
      isNamed: use === FileUse.CLAIMED || use === FileUse.IN_MESSAGES,
    }));
  } catch (error) {
    problems.push(`The database cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
  return { problems, files };
}
