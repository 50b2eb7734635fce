/**
 * Fault K38: rows that cannot be read. What is stored of some messages is damaged behind the server's back; whoever pulls must have all
 * others, a placeholder in their places, and must not ask for ever.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { MessageType } from "@parley/protocol/codes";
import { loadConfig } from "../../config.ts";
import { runDoctor } from "../../doctor.ts";
import { TestPerson, befriend, registerPerson as register, makeGroup, sendText } from "../test-person.ts";
import { startServer } from "../server-process.ts";
import { findGapsBelowCursor, startDevice, findUnfinishedPulls, waitUntilIdle } from "./client-device.ts";
import type { Report } from "./report.ts";
import { pull } from "./scenario.ts";

export interface CorruptRowsOptions {
  /** An empty folder. */
  dataDir: string;
  /** Messages of each kind; every third is damaged, each in another way. */
  messages: number;
  /** Planted: one row is taken away instead. */
  isLosing?: boolean;
}

/** What the row's column becomes, in SQL. */
const DAMAGE = {
  privateMessage: ["tip = '{'", "act = 'nonsense'", "content = x'80ff00'", "tip = ''", "act = '{\"key\":'"],
  groupMessage: [
    "tip = '{'",
    "atUserIds = '[1,'",
    "content = x'80ff00'",
    "act = 'nonsense'",
    "atUserIds = ''",
  ],
} as const;

type Table = keyof typeof DAMAGE;
const TABLES = ["privateMessage", "groupMessage"] as const;

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
    // Each quotes the one before.
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
  const poisoned = corruptRows(join(dataDir, "parley.sqlite"), isLosing);

  const server = await startServer(env);
  try {
    const moved = (person: TestPerson) =>
      new TestPerson(server.url, person.id, person.userName, person.tokens, person.device);
    const me = moved(ann);
    const after = await pull(me);
    for (const kind of ["private", "group"] as const) {
      const found = new Map<number, { type: number; content: string }>(
        after[kind].map((row) => [row.id, row]),
      );
      const bad = poisoned[kind === "private" ? "privateMessage" : "groupMessage"];
      for (const row of before[kind]) {
        const now = found.get(row.id);
        const isPlaceholder = now?.type === MessageType.TIP_TEXT && now.content.includes("damaged");
        if (now === undefined) violations.push(`the ${kind} message ${row.id} is missing`);
        else if (bad.has(row.id) !== isPlaceholder)
          violations.push(`the ${kind} message ${row.id} is ${now.content}`);
        else if (!bad.has(row.id) && now.content !== row.content) violations.push(`${row.id} is another now`);
      }
    }
    const device = await startDevice(me, { name: "poisoned" });
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
    if (total === 0) violations.push("what stands behind a damaged row is not found");
    for (const call of ["listGroups", "listFriends"] as const) await me.ok(call);
    const count = poisoned.privateMessage.size + poisoned.groupMessage.size;
    const logged = server.output().split("a row cannot be read").length - 1;
    // The group itself is one more.
    if (logged !== count + 1)
      violations.push(`the log tells of ${logged} rows, and ${count + 1} are damaged`);
    const problems = runDoctor(loadConfig({ DATA_DIR: dataDir }));
    if (!problems.some((problem) => problem.includes("cannot be read in the rows"))) {
      violations.push(`the doctor says ${problems.join(" ") || "nothing"}`);
    }
    const done = `${count} of ${before.private.length + before.group.length} messages damaged, ${pulls} pulls asked for by a client, ${logged} lines of the log`;
    return { name: "K38 rows that cannot be read", done, violations };
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}

/** Answers the damaged ids. */
function corruptRows(database: string, isLosing: boolean): Record<Table, Set<number>> {
  const db = new Database(database);
  const poisoned: Record<Table, Set<number>> = { privateMessage: new Set(), groupMessage: new Set() };
  for (const table of TABLES) {
    const ids = db.prepare(`select id from ${table} where type = 0 order by id`).pluck().all() as number[];
    for (const [index, id] of ids.filter((_, at) => at % 3 === 1).entries()) {
      const ways = DAMAGE[table];
      db.exec(`update ${table} set ${ways[index % ways.length]} where id = ${id}`);
      poisoned[table].add(id);
    }
  }
  db.exec("update chatGroup set attributes = '{'");
  if (isLosing) db.exec("delete from privateMessage where id = (select max(id) from privateMessage)");
  db.close();
  return poisoned;
}
