/** Checks a database without changing it, also while a server is running on it. */
import Database from "better-sqlite3";
import { FileUse } from "./file-repository.ts";
import { isWalDamaged } from "./wal-check.ts";

/** The result of a check. */
export interface IntegrityReport {
  /** What is wrong, one sentence each. */
  problems: string[];
  /** Every uploaded file that the database knows. */
  files: IntegrityFile[];
}

/** An uploaded file as the database knows it. */
export interface IntegrityFile {
  url: string;
  bytes: number;
  /** SHA-256 in hexadecimal; null while the file is being uploaded. */
  sha256: string | null;
  /** Whether an account, a group or a message names it. */
  isNamed: boolean;
}

const PROBLEMS_MAX = 20;

/** Columns that contain JSON. */
const JSON_COLUMNS: readonly [table: string, column: string][] = [
  ["message", "tip"],
  ["message", "act"],
  ["message", "atUserIds"],
  ["chatGroup", "attributes"],
];

/** Checks the database at this path: its write-ahead log, its pages, references, JSON and the order of messages. */
export function checkIntegrity(url: string): IntegrityReport {
  const problems: string[] = [];
  let files: IntegrityReport["files"] = [];
  if (isWalDamaged(`${url}-wal`))
    problems.push(`The log ${url}-wal is damaged: messages behind the damage are lost.`);
  let db: Database.Database | undefined;
  try {
    db = new Database(url, { fileMustExist: true, readonly: true });
    for (const finding of runPragma(db, `integrity_check(${PROBLEMS_MAX})`))
      problems.push(`Database: ${finding}.`);
    const missingParents = db.pragma("foreign_key_check") as { table: string; parent: string }[];
    for (const { table, parent } of missingParents.slice(0, PROBLEMS_MAX)) {
      problems.push(`A row of ${table} names a row of ${parent} that is not there.`);
    }
    problems.push(...findUnreadable(db), ...findOutOfOrder(db), ...findUnknownPictures(db));
    const rows = db.prepare("select url, bytes, use, sha256 from file").all() as (Omit<
      IntegrityFile,
      "isNamed"
    > & { use: number })[];
    files = rows.map(({ url: fileUrl, bytes, use, sha256 }) => ({
      url: fileUrl,
      bytes,
      sha256,
      isNamed: use === FileUse.CLAIMED || use === FileUse.IN_MESSAGES,
    }));
  } catch (error) {
    problems.push(
      `The database ${url} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  } finally {
    db?.close();
  }
  return { problems, files };
}

function runPragma(db: Database.Database, pragma: string): string[] {
  const rows = db.pragma(pragma) as Record<string, unknown>[];
  const lines = rows.flatMap((row) => Object.values(row).map(String));
  return lines.filter((line) => line !== "ok");
}

function findUnreadable(db: Database.Database): string[] {
  return JSON_COLUMNS.flatMap(([table, column]) => {
    const ids = db
      .prepare(`select id from ${table} where ${column} is not null and not json_valid(${column}) limit ?`)
      .pluck()
      .all(PROBLEMS_MAX);
    return ids.length === 0 ? [] : [`${table}: ${column} cannot be read in the rows ${ids.join(", ")}.`];
  });
}

function findOutOfOrder(db: Database.Database): string[] {
  const ids = db
    .prepare(
      "select id from (select id, sendTime < lag(sendTime) over (order by id) as isEarly from message) where isEarly limit ?",
    )
    .pluck()
    .all(PROBLEMS_MAX);
  return ids.length === 0 ? [] : [`message: earlier than the row before are ${ids.join(", ")}.`];
}

function findUnknownPictures(db: Database.Database): string[] {
  const names = db
    .prepare(
      `select userName from user where headImage like '/files/%' and headImage not in (select url from file) limit ?`,
    )
    .pluck()
    .all(PROBLEMS_MAX);
  return names.length === 0 ? [] : [`Pictures that no file is known of have: ${names.join(", ")}.`];
}
