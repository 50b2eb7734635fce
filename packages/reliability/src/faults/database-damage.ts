/**
 * Fault K9: files of the database are damaged. Each copy of the folder of a killed server gets one fault. The next start must refuse
 * with a sentence, or lose at most the unacknowledged end of the log. The doctor must find every damage that a start does not.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openStore } from "@parley/server/adapters/store/open-store";
import { loadConfig } from "@parley/server/config/config";
import { runDoctor } from "@parley/server/doctor/doctor";
import {
  befriend,
  registerPerson as register,
  logIn,
  makeGroup,
  sendText,
} from "@parley/server/testing/test-person";
import { createUniformRandom } from "../uniform-random.ts";
import { runServer, startServer } from "@parley/server/testing/server-process";
import { uploadPicture } from "./upload-files.ts";
import type { Report } from "./report.ts";

/** How many copies; `seed` decides what is damaged in each. */
export interface DatabaseDamageOptions {
  /** An empty folder. */
  dataDir: string;
  seed: number;
  /** The number of copies for each kind of damage. */
  copies: number;
  /** A planted fault: rows of one more copy are deleted, without damage. */
  isLosing?: boolean;
}

const DATABASE = "parley.sqlite";
const LOG = `${DATABASE}-wal`;
const INDEX = `${DATABASE}-shm`;
const PAGE_BYTES = 4_096;
const LOG_HEADER_BYTES = 32;
const LOG_FRAME_BYTES = 24 + PAGE_BYTES;

interface DamageKind {
  name: string;
  damage(folder: string, random: () => number): void;
  /** Which commits may be lost. Acknowledged commits at the damaged end of a log look like a commit that was interrupted. */
  mayLose: "nothing" | "last commits" | "end of log";
  /** Whether a text may change. Nothing can detect that. */
  mayChange?: boolean;
}

const DAMAGE_KINDS: readonly DamageKind[] = [
  { name: "nothing", mayLose: "nothing", damage: () => {} },
  {
    name: "a byte of the database flipped",
    mayLose: "nothing",
    mayChange: true,
    damage: (folder, random) => flipBytes(join(folder, DATABASE), random, 0),
  },
  {
    name: "a page of the database zeroed",
    mayLose: "nothing",
    damage(folder, random) {
      const path = join(folder, DATABASE);
      const bytes = readFileSync(path);
      const page = Math.floor(random() * (bytes.length / PAGE_BYTES));
      writeFileSync(path, bytes.fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
    },
  },
  {
    name: "a byte of the log flipped",
    mayLose: "last commits",
    damage: (folder, random) => flipBytes(join(folder, LOG), random, 0),
  },
  {
    name: "the header of the log flipped",
    mayLose: "nothing",
    damage: (folder, random) => flipBytes(join(folder, LOG), random, 0, LOG_HEADER_BYTES),
  },
  {
    name: "a frame of the log zeroed",
    mayLose: "last commits",
    damage(folder, random) {
      const path = join(folder, LOG);
      const bytes = readFileSync(path);
      const frame = Math.floor(random() * ((bytes.length - LOG_HEADER_BYTES) / LOG_FRAME_BYTES));
      const start = LOG_HEADER_BYTES + frame * LOG_FRAME_BYTES;
      writeFileSync(path, bytes.fill(0, start, start + LOG_FRAME_BYTES));
    },
  },
  {
    name: "the log cut",
    mayLose: "end of log",
    damage(folder, random) {
      const path = join(folder, LOG);
      truncateSync(path, Math.floor(random() * readFileSync(path).length));
    },
  },
  { name: "the log's index deleted", mayLose: "nothing", damage: (folder) => rmSync(join(folder, INDEX)) },
  {
    name: "the log's index overwritten with noise",
    mayLose: "nothing",
    damage(folder, random) {
      const path = join(folder, INDEX);
      writeFileSync(
        path,
        readFileSync(path).map(() => Math.floor(random() * 256)),
      );
    },
  },
  {
    name: "the lock file overwritten with noise",
    mayLose: "nothing",
    damage: (folder, random) =>
      writeFileSync(
        join(folder, "parley.lock"),
        Buffer.alloc(5_000).map(() => Math.floor(random() * 256)),
      ),
  },
  {
    name: "an uploaded file cut",
    mayLose: "nothing",
    damage(folder) {
      const db = new Database(join(folder, DATABASE), { readonly: true });
      const url = db.prepare("select url from file where use = 1").pluck().get() as string;
      db.close();
      truncateSync(join(folder, url), 10);
    },
  },
];

const LOSING_DAMAGE: DamageKind = {
  name: "messages deleted",
  mayLose: "nothing",
  damage(folder) {
    const db = new Database(join(folder, DATABASE));
    db.exec("delete from message where id > 10");
    db.close();
  },
};

/** Runs the battery. */
export async function runDatabaseDamage(options: DatabaseDamageOptions): Promise<Report> {
  const { dataDir, seed, copies } = options;
  const name = `K9 damaged files (seed ${seed})`;
  const origin = join(dataDir, "origin");
  const intactData = await fillDatabase(origin, dataDir);
  const random = createUniformRandom(seed);
  const violations: string[] = [];
  const counts = { refused: 0, found: 0, harmless: 0, tail: 0, text: 0 };
  for (const kind of options.isLosing === true ? [...DAMAGE_KINDS, LOSING_DAMAGE] : DAMAGE_KINDS) {
    for (let copy = 0; copy < (kind === LOSING_DAMAGE ? 1 : copies); copy++) {
      const folder = mkdtempSync(join(dataDir, "copy-"));
      copyFolder(origin, folder);
      kind.damage(folder, random);
      const addViolation = (what: string) => violations.push(`${kind.name}, copy ${copy}: ${what}`);
      counts[await classify(folder, kind, intactData, addViolation)]++;
      rmSync(folder, { recursive: true, force: true });
    }
  }
  violations.push(...(await startServerOnDamage(origin, dataDir)));
  const done =
    `${DAMAGE_KINDS.length} kinds of damage, ${DAMAGE_KINDS.length * copies} copies: ${counts.refused} refused with a sentence, ${counts.found} found by the ` +
    `doctor alone, ${counts.harmless} without harm, ${counts.tail} without the end of the log, ${counts.text} with a changed text`;
  return { name, done, violations };
}

/** All messages. Those whose text begins with "late" are in the log, each in its own commit. */
interface IntactData {
  rows: string[];
}

/** Runs a server in this folder and kills it. Leaves a database, and a log with commits of one message each. */
async function fillDatabase(origin: string, dataDir: string): Promise<IntactData> {
  const env = { DATA_DIR: origin, RATE_LIMITS: "off" };
  const first = await startServer(env);
  const [ann, bob] = [await register(first.url), await register(first.url)];
  await befriend(ann, bob);
  const groupId = await makeGroup(ann, [bob]);
  for (let n = 0; n < 60; n++) await sendText(ann, bob, `early ${n} ${"x".repeat(900)}`, `early-${n}`);
  const { data } = await uploadPicture(ann, 1);
  await ann.ok("updateUser", {
    body: { id: ann.id, nickName: "ann", headImage: data.originUrl, headImageThumb: data.thumbUrl },
  });
  first.kill("SIGTERM");
  await first.exited;
  const second = await startServer(env);
  const moved = await logIn(second.url, ann.userName);
  for (let n = 0; n < 20; n++) {
    await sendText(moved, bob, `late ${n}`, `late-${n}`);
    await moved.ok("sendGroupMessage", {
      body: { groupId, type: 0, content: `late ${n}`, tmpId: `late-g-${n}` },
    });
  }
  second.kill("SIGKILL");
  await second.exited;
  const folder = mkdtempSync(join(dataDir, "whole-"));
  copyFolder(origin, folder);
  const rows = rowsOf(folder);
  rmSync(folder, { recursive: true, force: true });
  return { rows };
}

function copyFolder(from: string, to: string): void {
  for (const name of [DATABASE, LOG, INDEX, "parley.lock", "secret"])
    copyFileSync(join(from, name), join(to, name));
  const db = new Database(join(from, DATABASE), { readonly: true });
  const urls = db.prepare("select url from file").pluck().all() as string[];
  db.close();
  for (const url of urls) {
    mkdirSync(join(to, url, ".."), { recursive: true });
    copyFileSync(join(from, url), join(to, url));
  }
}

/** The messages of a database. Opening changes the files, so this is called with copies only. */
function rowsOf(folder: string): string[] {
  const db = new Database(join(folder, DATABASE));
  try {
    const rows = db.prepare("select id, tmpId, content from message order by id").all() as {
      id: number;
      tmpId: string | null;
      content: string;
    }[];
    return rows.map(({ id, tmpId, content }) => `${id} ${tmpId ?? ""} ${content}`);
  } finally {
    db.close();
  }
}

type Outcome = "refused" | "found" | "harmless" | "tail" | "text";

async function classify(
  folder: string,
  kind: DamageKind,
  intactData: IntactData,
  addViolation: (what: string) => void,
): Promise<Outcome> {
  const url = join(folder, DATABASE);
  const config = loadConfig({ DATA_DIR: folder });
  const before = await runDoctor(config);
  try {
    const store = await openStore({
      url,
      onFatal: (error) => addViolation(`the open store failed: ${error.message}`),
    });
    await store.close();
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    if (
      !/cannot be opened: .*(restore a backup|the file that ends in -wal)/.test(sentence) &&
      !sentence.includes("parley.lock")
    )
      addViolation(`the error does not say what to do: ${sentence}`);
    const isOfDatabase = !sentence.includes("parley.lock");
    if (isOfDatabase && before.length === 0)
      addViolation(`the doctor finds nothing although a start is refused: ${sentence}`);
    return "refused";
  }
  if (before.length > 0) return "found";
  const rows = new Set(rowsOf(folder));
  const lost = intactData.rows.filter((row) => !rows.has(row));
  if (lost.length === 0) return "harmless";
  const after = await runDoctor(config);
  if (after.length > 0) addViolation(`the doctor finds the damage only after a start: ${after.join(" ")}`);
  if (rows.size === intactData.rows.length && kind.mayChange === true) return "text";
  const isTail = lost.length <= 2 || kind.mayLose === "end of log";
  if (kind.mayLose === "nothing" || !isTail) {
    addViolation(`${lost.length} messages are lost without an error, such as ${lost[0]?.slice(0, 40)}`);
  } else if (lost.some((row) => !row.includes("late")))
    addViolation("messages of the database file are lost with the log");
  return "tail";
}

function flipBytes(path: string, random: () => number, from: number, to = Infinity): void {
  const bytes = readFileSync(path);
  const at = from + Math.floor(random() * (Math.min(to, bytes.length) - from));
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  writeFileSync(path, bytes);
}

/** Starts the real program on a damaged log: it must print one sentence without a stack trace and leave the files unchanged. */
async function startServerOnDamage(origin: string, dataDir: string): Promise<string[]> {
  const folder = mkdtempSync(join(dataDir, "start-"));
  copyFolder(origin, folder);
  const log = readFileSync(join(folder, LOG));
  log[LOG_HEADER_BYTES + 100] = (log[LOG_HEADER_BYTES + 100] ?? 0) ^ 1;
  writeFileSync(join(folder, LOG), log);
  const { code, output } = await runServer({ DATA_DIR: folder });
  const violations: string[] = [];
  if (code !== 1 || !/^The database \S+ cannot be opened: [^\n]*restore a backup\.\n$/.test(output)) {
    violations.push(`a start on a damaged log ended with ${code}: ${output}`);
  }
  if (!readFileSync(join(folder, LOG)).equals(log)) violations.push("a refused start has changed the log");
  return violations;
}
