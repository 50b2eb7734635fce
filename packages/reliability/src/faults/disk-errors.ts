/**
 * Fault K6: the n-th sync or the n-th write of a busy server fails. The server must end by itself, and the next server must have all
 * acknowledged messages and files.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openStore } from "@parley/server/adapters/store/open-store";
import {
  TestPerson,
  befriend,
  registerPerson as register,
  makeGroup,
} from "@parley/server/testing/test-person";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { failingCall, whyNotTraced } from "../strace.ts";
import { uploadPicture } from "./upload-files.ts";
import type { Report } from "./report.ts";

/** Which calls fail. */
export interface DiskErrorsOptions {
  /** An empty folder. */
  dataDir: string;
  /** The numbers of the calls that fail, from 1. */
  syncs: readonly number[];
  writes: readonly number[];
  /** A planted fault: an acknowledged row is deleted before the last check. */
  isLosing?: boolean;
}

type Call = "fsync" | "pwrite64";

/** After this many sends for each call, the fault must have occurred: five send at once and may share a commit. */
const SENDS_PER_CALL = 8;
const EXTRA_SENDS = 100;

/** Runs the battery. */
export async function runDiskErrors(options: DiskErrorsOptions): Promise<Report> {
  const name = "K6 disk errors";
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
    `${options.syncs.length} syncs and ${options.writes.length} writes failed: ${sum((w) => w.endedAtStart)} during the start, ` +
    `${sum((w) => w.endedAtWork)} in the running server, ${sum((w) => w.survived)} did not occur or affected only an upload; ` +
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
  endedAtStart = 0;
  endedAtWork = 0;
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
      // A planted loss has a message to delete, even if the fault occurs before the first one of the next server.
      await this.#send(a, "before", 0, this.#people);
    } finally {
      server.kill("SIGKILL");
      await server.exited;
    }
    for (const [index, n] of numbers.entries()) {
      const addViolation = (what: string) => this.violations.push(`${this.#call} ${n} failed: ${what}`);
      try {
        await this.#runWithFault(n, addViolation);
        await this.#check(addViolation, this.#isLosing && index === numbers.length - 1);
      } catch (error) {
        addViolation(error instanceof Error ? error.message : String(error));
      }
    }
  }

  async #runWithFault(n: number, addViolation: (what: string) => void): Promise<void> {
    let server: ServerProcess;
    try {
      server = await startServer(this.#env, { under: failingCall(this.#call, "EIO", n) });
    } catch (error) {
      this.endedAtStart++;
      const text = error instanceof Error ? error.message : String(error);
      if (!text.startsWith("the server ended with 1: ") || /^\s+at /m.test(text))
        addViolation(`the start ended without a sentence: ${text}`);
      return;
    }
    let hasExited = false;
    void server.exited.then(() => (hasExited = true));
    let sends = 0;
    const people = this.#people.map(
      ({ id, userName, tokens, device }) => new TestPerson(server.url, id, userName, tokens, device),
    );
    const shouldContinue = () => !hasExited && sends < n * SENDS_PER_CALL + EXTRA_SENDS;
    try {
      await Promise.all([
        ...people.map(async (me, index) => {
          for (let turn = 0; shouldContinue(); turn++, sends++)
            await this.#send(me, `${n}-${index}-${turn}`, index, people);
        }),
        (async () => {
          for (let turn = 0; shouldContinue(); turn++) await this.#upload(people[0], turn);
        })(),
      ]);
      if (hasExited) {
        this.endedAtWork++;
        const [code, output] = [await server.exited, server.output()];
        if (code !== 1 || !output.includes("The database failed: "))
          addViolation(`ended with ${code}: ${output}`);
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
    const body = { type: 0, content: `text of ${tmpId}`, tmpId };
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
      // The server ended, so nothing was acknowledged.
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

  #deleteLastAcknowledged(db: Database.Database): void {
    const last = [...this.acknowledged.keys()].at(-1);
    db.prepare("delete from message where tmpId = ?").run(last);
  }

  /** Checks the folder as the next server finds it. */
  async #check(addViolation: (what: string) => void, isLosing: boolean): Promise<void> {
    const url = join(this.#folder, "parley.sqlite");
    const store = await openStore({ url, onFatal: (error) => addViolation(error.message) });
    await store.close();
    const db = new Database(url);
    try {
      if (isLosing) this.#deleteLastAcknowledged(db);
      const integrity: unknown = db.pragma("integrity_check", { simple: true });
      if (integrity !== "ok") addViolation(`integrity_check: ${String(integrity)}`);
      const rows = db
        .prepare("select tmpId, id, content from message where tmpId is not null")
        .all() as (SentMessage & { tmpId: string })[];
      const byTmpId = new Map(rows.map((row) => [row.tmpId, row]));
      if (byTmpId.size !== rows.length) addViolation("two rows have the same tmpId");
      for (const [tmpId, { id, content }] of this.acknowledged) {
        const row = byTmpId.get(tmpId);
        if (row === undefined) addViolation(`${tmpId} was acknowledged and is lost`);
        else if (row.id !== id || row.content !== content)
          addViolation(`${tmpId} has another id or content than the acknowledged row`);
      }
      const times = db.prepare("select sendTime from message order by id").pluck().all() as number[];
      if (times.some((time, index) => time < (times[index - 1] ?? 0)))
        addViolation("the times of messages are not in ascending order");
      const urls = new Set(db.prepare("select url from file").pluck().all() as string[]);
      for (const file of this.files)
        if (!urls.has(file)) addViolation(`the acknowledged upload ${file} is lost`);
    } finally {
      db.close();
    }
  }
}
