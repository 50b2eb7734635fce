/** The problems of the files of a database and its storage, one sentence each (L54, L56). */
import type Database from "better-sqlite3";
import { MessageType } from "@parley/protocol/codes";
import { filesOf } from "@parley/protocol/message";
import { FileUse } from "@parley/server/adapters/store/file-repository";
import { fileKeyOf } from "@parley/server/modules/uploads/file-urls";
import { bytesNamed } from "./simulated-files.ts";

interface NamingRow {
  content: string;
  type: number;
}

/** The messages that somebody may see and that may name files. */
function namingRows(db: Database.Database): NamingRow[] {
  return db
    .prepare<[], NamingRow>(
      `select m.type, m.content from message m where m.type between 1 and 4 and not exists
       (select 1 from groupPurge p where p.groupId = m.chatId and p.userId = m.sendId and p.upTo >= m.id)`,
    )
    .all();
}

/** How many messages with files somebody may see. */
export function fileCount(db: Database.Database): number {
  return namingRows(db).filter(({ content }) => content !== "").length;
}

/** Files that a message names and that are not kept, and files that are kept although no message names them. */
export function flawsOfNamedFiles(db: Database.Database): string[] {
  const rows = db.prepare<[], { url: string; use: number }>("select url, use from file").all();
  const uses = new Map(rows.map(({ url, use }) => [url, use]));
  const named = new Set(namingRows(db).flatMap(({ type, content }) => filesOf(type, content)));
  const missing = [...named].filter((url) => uses.get(url) !== FileUse.IN_MESSAGES);
  const kept = [...uses].filter(([url, use]) => use === FileUse.IN_MESSAGES && !named.has(url));
  return [
    ...missing.map((url) => `a message names ${url}, which is ${uses.get(url) ?? "gone"}`),
    ...kept.map(([url]) => `no message names ${url}, which is kept`),
  ];
}

/** Rows without bytes, bytes without a row, and messages whose file has other bytes than its sender chose. Call it after the sweep. */
export function flawsOfStoredFiles(db: Database.Database, blobs: ReadonlyMap<string, Buffer>): string[] {
  const urls = db.prepare<[], string>("select url from file").pluck().all();
  const keys = new Set(urls.map(fileKeyOf));
  const names = new Map<string, number>();
  const problems = [
    ...[...keys].filter((key) => !blobs.has(key)).map((key) => `${key} has a row and no bytes`),
    ...[...blobs.keys()].filter((key) => !keys.has(key)).map((key) => `${key} has bytes and no row`),
  ];
  for (const { type, content } of namingRows(db)) {
    if (type !== MessageType.FILE || content === "") continue;
    const { name, url } = JSON.parse(content) as { name: string; url: string };
    names.set(name, (names.get(name) ?? 0) + 1);
    const stored = blobs.get(fileKeyOf(url));
    if (stored !== undefined && !stored.equals(bytesNamed(name))) problems.push(`${url} is not ${name}`);
  }
  for (const [name, count] of names)
    if (count > 1) problems.push(`INV2 ${name} was sent once and is stored ${count} times`);
  return problems;
}
