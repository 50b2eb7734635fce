/**
 * Fault K38: rows that cannot be read. Some stored messages are damaged while the server is stopped. A pull must return all other
 * messages and a placeholder for each damaged one, and a client must not pull again and again.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { MessageType } from "@parley/protocol/codes";
import { loadConfig } from "@parley/server/config/config";
import { runDoctor } from "@parley/server/doctor/doctor";
import {
  TestPerson,
  befriend,
  registerPerson as register,
  makeGroup,
  sendText,
} from "@parley/server/testing/test-person";
import { startServer } from "@parley/server/testing/server-process";
import { findGapsBelowCursor, startDevice, findUnfinishedPulls, waitUntilIdle } from "./client-device.ts";
import type { Report } from "./report.ts";
import { pull } from "./scenario.ts";

/** How many messages. */
export interface CorruptRowsOptions {
  /** An empty folder. */
  dataDir: string;
  /** The number of private and of group messages. Every third is damaged, in different ways. */
  messages: number;
  /** A planted fault: one row is deleted as well. */
  isLosing?: boolean;
}

/** The SQL assignments that damage a row. */
const DAMAGE = {
  private: ["tip = '{'", "act = 'nonsense'", "content = x'80ff00'", "tip = ''", "act = '{\"key\":'"],
  group: ["tip = '{'", "atUserIds = '[1,'", "content = x'80ff00'", "act = 'nonsense'", "atUserIds = ''"],
} as const;

const KINDS = ["private", "group"] as const;
type Kind = (typeof KINDS)[number];
/** The ids of private chats are negative. */
const IS_OF_KIND: Record<Kind, string> = { private: "chatId < 0", group: "chatId > 0" };

/** Runs the battery. */
export async function runCorruptRows({
  dataDir,
  messages,
  isLosing = false,
}: CorruptRowsOptions): Promise<Report> {
  const violations: string[] = [];
  const env = { DATA_DIR: dataDir, RATE_LIMITS: "off" };
  const first = await startServer(env);
  const [ann, bob] = [await register(first.url), await register(first.url)];
  await befriend(ann, bob);
  const groupId = await makeGroup(ann, [bob]);
  for (let n = 0; n < messages; n++) {
    // Rows before this are damaged after they were indexed, the others before.
    if (n === messages / 2) await ann.ok("searchMessages", { query: { q: "number" } });
    // Each answer quotes the message before it.
    const last = await sendText(ann, bob, `private number${n}`);
    await bob.ok("sendPrivateMessage", {
      body: { recvId: ann.id, type: 0, content: "answer", quoteMessageId: last.id },
    });
    await ann.ok("sendGroupMessage", {
      body: { groupId, type: 0, content: `group number${n}`, atUserIds: [bob.id] },
    });
  }
  const before = await pull(ann);
  first.kill("SIGKILL");
  await first.exited;
  const corruptIds = corruptRows(join(dataDir, "parley.sqlite"), isLosing);

  const server = await startServer(env);
  try {
    const moved = (person: TestPerson) =>
      new TestPerson(server.url, person.id, person.userName, person.tokens, person.device);
    const me = moved(ann);
    const after = await pull(me);
    for (const kind of KINDS) {
      const pulled = new Map<number, { type: number; content: string }>(
        after[kind].map((row) => [row.id, row]),
      );
      const corrupt = corruptIds[kind];
      for (const row of before[kind]) {
        const now = pulled.get(row.id);
        const isPlaceholder = now?.type === MessageType.TIP_TEXT && now.content.includes("damaged");
        if (now === undefined) violations.push(`the ${kind} message ${row.id} is missing`);
        else if (corrupt.has(row.id) !== isPlaceholder)
          violations.push(`the ${kind} message ${row.id} has the content ${now.content}`);
        else if (!corrupt.has(row.id) && now.content !== row.content)
          violations.push(`the content of ${row.id} has changed`);
      }
    }
    const device = await startDevice(me, { name: "with corrupt rows" });
    await waitUntilIdle(device);
    const pulls = device.requests.filter(({ path }) => /pull/i.test(path)).length;
    violations.push(...findUnfinishedPulls(device));
    if (!isLosing) {
      const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
      const stored = { private: ids(before.private), group: ids(before.group) };
      violations.push(...(await findGapsBelowCursor(device, stored)));
    }
    const failed = device.connections
      .flatMap(({ frames }) => frames)
      .filter((text) => text.includes('"failed":true'));
    if (failed.length > 0) violations.push(`${failed.length} pulls failed`);
    device.stop();
    const { total } = await me.ok("searchMessages", { query: { q: `number${messages - 1}` } });
    if (total === 0) violations.push("a message after a damaged row is not found by a search");
    for (const call of ["listGroups", "listFriends"] as const) await me.ok(call);
    const count = corruptIds.private.size + corruptIds.group.size;
    const logged = server.output().split("a row cannot be read").length - 1;
    // The row of the group is damaged as well.
    if (logged !== count + 1) violations.push(`the log reports ${logged} rows, but ${count + 1} are damaged`);
    const problems = await runDoctor(loadConfig({ DATA_DIR: dataDir }));
    if (!problems.some((problem) => problem.includes("cannot be read in the rows"))) {
      violations.push(`the doctor reports ${problems.join(" ") || "nothing"}`);
    }
    const done = `${count} of ${before.private.length + before.group.length} messages damaged, ${pulls} pulls of a client, ${logged} log lines`;
    return { name: "K38 unreadable rows", done, violations };
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}

/** Damages the database and returns the ids of the damaged messages. */
function corruptRows(database: string, isLosing: boolean): Record<Kind, Set<number>> {
  const db = new Database(database);
  const corruptIds: Record<Kind, Set<number>> = { private: new Set(), group: new Set() };
  for (const kind of KINDS) {
    const ids = db
      .prepare(`select id from message where ${IS_OF_KIND[kind]} and type = 0 order by id`)
      .pluck()
      .all() as number[];
    for (const [index, id] of ids.filter((_, at) => at % 3 === 1).entries()) {
      const assignments = DAMAGE[kind];
      db.exec(`update message set ${assignments[index % assignments.length]} where id = ${id}`);
      corruptIds[kind].add(id);
    }
  }
  db.exec("update chatGroup set attributes = '{'");
  if (isLosing) db.exec("delete from message where id = (select max(id) from message where chatId < 0)");
  db.close();
  return corruptIds;
}
