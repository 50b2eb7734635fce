/**
 * Fault K6: one call of the disk fails. The n-th sync, or the n-th write, of a server under senders is answered with an error; the server
 * must end by itself, and the next one must have all that was acknowledged.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openStore } from "../../adapters/store/open-store.ts";
import { TestPerson, befriend, registerPerson as register, makeGroup } from "../test-person.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { failingCall, whyNotTraced } from "../strace.ts";
import { uploadPicture } from "./upload-picture.ts";
import type { Report } from "./report.ts";

export interface DiskErrorsOptions {
  /** An empty folder. */
  dataDir: string;
  /** Which calls fail, from 1. */
  syncs: readonly number[];
  writes: readonly number[];
  /** Planted: a row that was acknowledged is taken away before the last look. */
  isLosing?: boolean;
}

type Call = "fsync" | "pwrite64";

/** So many sends for each call that goes by, and the fault has been passed: five talk at once, and may share a commit. */
const SENDS_PER_CALL = 8;
const EXTRA_SENDS = 100;

export async function runDiskErrors(options: DiskErrorsOptions): Promise<Report> {
  const name = "K6 errors of the disk";
  const missing = whyNotTraced();
  if (missing !== undefined)
    return { name, done: `not run: ${missing}`, violations: [`not run: ${missing}`] };
  const workers = (["fsync", "pwrite64"] as const).map((call) => new Worker(call, options));
  await Promise.all(
    workers.map((worker, index) => worker.work(index === 0 ? options.syncs : options.writes)),
  );
  const sum = (count: (worker: Worker) => number) =>
    workers.reduce((total, worker) => total + count(worker), 0);
  const done =
    `${options.syncs.length} syncs and ${options.writes.length} writes failed: ${sum((w) => w.atStart)} ended the start, ` +
    `${sum((w) => w.atWork)} the server at work, ${sum((w) => w.survived)} were not met or hit an upload alone; ` +
    `${sum((w) => w.acknowledged.size)} acknowledged, ${sum((w) => w.refused)} refused`;
  return { name, done, violations: workers.flatMap((worker) => worker.violations) };
}

interface SentMessage {
  id: number;
  content: string;
}

class Worker {
  readonly violations: string[] = [];
  readonly acknowledged = new Map<string, SentMessage>();
  readonly files = new Set<string>();
  atStart = 0;
  atWork = 0;
  survived = 0;
  refused = 0;
  readonly #call: Call;
  readonly #folder: string;
  readonly #isLosing: boolean;
  #people: TestPerson[] = [];
  #groupId = 0;

  constructor(call: Call, { dataDir, isLosing = false }: DiskErrorsOptions) {
    this.#call = call;
    this.#folder = join(dataDir, call);
    this.#isLosing = isLosing;
    mkdirSync(this.#folder);
  }

  get #env(): Record<string, string> {
    return { DATA_DIR: this.#folder, RATE_LIMITS: "off" };
  }

  async work(numbers: readonly number[]): Promise<void> {
    const server = await startServer(this.#env);
    try {
      this.#people = await Promise.all(Array.from({ length: 4 }, () => register(server.url)));
      const [a, b, c, d] = this.#people;
      if (a === undefined || b === undefined || c === undefined || d === undefined) return;
      this.#groupId = await makeGroup(a, [b, c, d]);
      await befriend(b, c);
    } finally {
      server.kill("SIGKILL");
      await server.exited;
    }
    for (const [index, n] of numbers.entries()) {
      const wrong = (what: string) => this.violations.push(`${this.#call} ${n} failed: ${what}`);
      try {
        await this.#fail(n, wrong);
        await this.#check(wrong, this.#isLosing && index === numbers.length - 1);
      } catch (error) {
        wrong(error instanceof Error ? error.message : String(error));
      }
    }
  }

  async #fail(n: number, wrong: (what: string) => void): Promise<void> {
    let server: ServerProcess;
    try {
      server = await startServer(this.#env, { under: failingCall(this.#call, "EIO", n) });
    } catch (error) {
      this.atStart++;
      const text = error instanceof Error ? error.message : String(error);
      if (!text.startsWith("the server ended with 1: ") || /^\s+at /m.test(text))
        wrong(`no sentence: ${text}`);
      return;
    }
    let isOver = false;
    void server.exited.then(() => (isOver = true));
    let sends = 0;
    const people = this.#people.map(
      ({ id, userName, tokens, device }) => new TestPerson(server.url, id, userName, tokens, device),
    );
    const goesOn = () => !isOver && sends < n * SENDS_PER_CALL + EXTRA_SENDS;
    try {
      await Promise.all([
        ...people.map(async (me, index) => {
          for (let turn = 0; goesOn(); turn++, sends++)
            await this.#send(me, `${n}-${index}-${turn}`, index, people);
        }),
        (async () => {
          for (let turn = 0; goesOn(); turn++) await this.#upload(people[0], turn);
        })(),
      ]);
      if (isOver) {
        this.atWork++;
        const [code, output] = [await server.exited, server.output()];
        if (code !== 1 || !output.includes("The database failed: ")) wrong(`ended with ${code}: ${output}`);
      } else {
        this.survived++;
      }
    } finally {
      server.kill("SIGKILL");
      await server.exited;
    }
  }

  async #send(me: TestPerson, turn: string, index: number, people: readonly TestPerson[]): Promise<void> {
    const tmpId = `${this.#call}-${turn}`;
    const body = { type: 0, content: `words of ${tmpId}`, tmpId };
    const friend = people[index === 1 ? 2 : 0];
    try {
      const { envelope } =
        index === 0 || friend === undefined
          ? await me.call("sendGroupMessage", { body: { ...body, groupId: this.#groupId } })
          : await me.call("sendPrivateMessage", { body: { ...body, recvId: friend.id } });
      if (envelope.code === 200) {
        this.acknowledged.set(tmpId, { id: envelope.data.id, content: envelope.data.content });
      } else this.refused++;
    } catch {
      // Cut by the end of the server: nobody was told anything.
    }
  }

  async #upload(me: TestPerson | undefined, turn: number): Promise<void> {
    if (me === undefined) return;
    try {
      const envelope = await uploadPicture(me, turn);
      if (envelope.code !== 200) return void this.refused++;
      this.files.add(envelope.data.originUrl).add(envelope.data.thumbUrl);
    } catch {
      // As above.
    }
  }

  #lose(db: Database.Database): void {
    const last = [...this.acknowledged.keys()].at(-1);
    for (const table of ["privateMessage", "groupMessage"]) {
      db.prepare(`delete from ${table} where tmpId = ?`).run(last);
    }
  }

  /** The folder as the next server finds it. */
  async #check(wrong: (what: string) => void, isLosing: boolean): Promise<void> {
    const url = join(this.#folder, "parley.sqlite");
    const store = await openStore({ url, onFatal: (error) => wrong(error.message) });
    await store.close();
    const db = new Database(url);
    try {
      if (isLosing) this.#lose(db);
      const integrity: unknown = db.pragma("integrity_check", { simple: true });
      if (integrity !== "ok") wrong(`integrity_check: ${String(integrity)}`);
      const rows = db
        .prepare(
          "select tmpId, id, content from privateMessage where tmpId is not null union all select tmpId, id, content from groupMessage where tmpId is not null",
        )
        .all() as (SentMessage & { tmpId: string })[];
      const byTmpId = new Map(rows.map((row) => [row.tmpId, row]));
      if (byTmpId.size !== rows.length) wrong("two rows of one tmpId");
      for (const [tmpId, { id, content }] of this.acknowledged) {
        const row = byTmpId.get(tmpId);
        if (row === undefined) wrong(`${tmpId} was acknowledged and is lost`);
        else if (row.id !== id || row.content !== content) wrong(`${tmpId} is another row now`);
      }
      for (const table of ["privateMessage", "groupMessage"]) {
        const times = db.prepare(`select sendTime from ${table} order by id`).pluck().all() as number[];
        if (times.some((time, at) => time < (times[at - 1] ?? 0)))
          wrong(`the times of ${table} do not ascend`);
      }
      const urls = new Set(db.prepare("select url from file").pluck().all() as string[]);
      for (const file of this.files) if (!urls.has(file)) wrong(`${file} was uploaded and is not known`);
    } finally {
      db.close();
    }
  }
}
