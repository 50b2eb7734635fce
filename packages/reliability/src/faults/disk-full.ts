/**
 * Fault K7: the disk is full. The space of a small disk is taken and freed while a server runs on it. Writes without space are refused
 * with their own error, reads go on, writes work again when there is space, and nothing acknowledged is lost.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { MessageType } from "@parley/protocol/codes";
import type { Envelope } from "@parley/protocol/envelope";
import { ERROR_SENTENCES } from "@parley/protocol/errors";
import {
  TestPerson,
  befriend,
  registerPerson as register,
  logIn,
  makeGroup,
  request,
} from "@parley/server/testing/test-person";
import { createUniformRandom } from "../uniform-random.ts";
import { type ServerProcess, runServer, startServer } from "@parley/server/testing/server-process";
import { type SmallDisk, mountSmallDisk, whyNoSmallDisk } from "../small-disk.ts";
import { uploadFile, uploadPicture } from "./upload-files.ts";
import type { Report } from "./report.ts";

/** How often the disk is filled. */
export interface DiskFullOptions {
  seed: number;
  /** How often the disk is filled and freed. */
  rounds: number;
  /** The free space the first time, for the log: at 16 MB it is written back into the database. */
  freeBytes: number;
  /** A planted fault: expects another English message than the server sends. */
  expectsOtherWording?: boolean;
}

/** The disk is larger than everything that is sent: some megabytes in each round. */
const DISK_MEBIBYTES = 64;
const ROUND_MEBIBYTES = 4;
const SENTENCES: Readonly<Record<string, string>> = ERROR_SENTENCES["server.storageFull"];

/** Runs the battery. */
export async function runDiskFull(options: DiskFullOptions): Promise<Report> {
  const name = `K7 full disk (seed ${options.seed})`;
  const missing = whyNoSmallDisk();
  if (missing !== undefined)
    return { name, done: `not run: ${missing}`, violations: [`not run: ${missing}`] };
  const disk = await mountSmallDisk(DISK_MEBIBYTES + options.rounds * ROUND_MEBIBYTES);
  const run = new DiskFullRun(disk, options);
  try {
    await run.run();
  } catch (error) {
    run.violations.push(`${error instanceof Error ? error.message : String(error)}; ${run.serverOutput()}`);
  } finally {
    await run.stop();
    await disk.remove();
  }
  const done =
    `${options.rounds} times full, ${run.acknowledged.size} acknowledged, ${run.refused.length} sends refused, ` +
    `log of ${Math.round(run.logPages)} pages on the full disk`;
  return { name, done, violations: run.violations };
}

class DiskFullRun {
  readonly violations: string[] = [];
  readonly acknowledged = new Map<string, number>();
  readonly refused: string[] = [];
  logPages = 0;
  readonly #disk: SmallDisk;
  readonly #options: DiskFullOptions;
  readonly #random: () => number;
  #server: ServerProcess | undefined;
  #people: TestPerson[] = [];
  #groupId = 0;
  #sends = 0;

  constructor(disk: SmallDisk, options: DiskFullOptions) {
    this.#disk = disk;
    this.#options = options;
    this.#random = createUniformRandom(options.seed);
  }

  serverOutput(): string {
    return `the server printed ${this.#server?.output().slice(-1_000) ?? "nothing"}`;
  }

  async stop(): Promise<void> {
    this.#server?.kill("SIGKILL");
    await this.#server?.exited;
  }

  async run(): Promise<void> {
    await this.#start();
    const { url } = this.#running();
    this.#people = await Promise.all(Array.from({ length: 4 }, () => register(url)));
    const [ann, bob, cat] = this.#people;
    if (ann === undefined || bob === undefined || cat === undefined) return;
    this.#groupId = await makeGroup(ann, this.#people.slice(1));
    await befriend(bob, cat);
    let loggedInWhenFull: TestPerson | undefined;
    for (let round = 0; round < this.#options.rounds; round++) {
      this.#disk.fill(round === 0 ? this.#options.freeBytes : Math.floor(this.#random() * 65_536));
      const before = this.refused.length;
      await this.#sendUntilFull();
      if (this.refused.length === before) this.violations.push("no write was refused on a full disk");
      if (round === 0) {
        this.logPages = this.#logPages();
        loggedInWhenFull = await this.#checkReadsStillWork(ann, bob);
      }
      this.#disk.free();
      await this.#recover();
    }
    await this.#retry();
    await this.#startOnFullDisk();
    if (loggedInWhenFull !== undefined)
      await this.#checkReads(loggedInWhenFull, "a login from when the disk was full, after a restart");
    await this.#checkRows();
  }

  #running(): ServerProcess {
    if (this.#server === undefined) throw new Error("the server is not running");
    return this.#server;
  }

  get #env(): Record<string, string> {
    return { DATA_DIR: join(this.#disk.folder, "data"), RATE_LIMITS: "off", LOG_LEVEL: "info" };
  }

  async #start(): Promise<void> {
    // The output of the server is on the same disk.
    this.#server = await startServer(this.#env, { stdout: join(this.#disk.folder, "log") });
    this.#people = this.#people.map((person) => this.#moved(person));
  }

  #moved({ id, userName, tokens, device }: TestPerson): TestPerson {
    return new TestPerson(this.#running().url, id, userName, tokens, device);
  }

  /** Everybody sends until each of them was refused a few times. */
  async #sendUntilFull(): Promise<void> {
    const sendRepeatedly = async (index: number) => {
      for (let refused = 0; refused < 3;) {
        const isStored = await this.#send(index, "满".repeat(1_000));
        if (!isStored) refused++;
        if (this.#sends > 200_000) throw new Error("the disk does not fill");
      }
    };
    await Promise.all(this.#people.map((_, index) => sendRepeatedly(index)));
  }

  async #send(index: number, content: string): Promise<boolean> {
    const tmpId = `full-${index}-${this.#sends++}`;
    const envelope = await this.#post(index, tmpId, content);
    if (envelope.code === 200) this.acknowledged.set(tmpId, (envelope.data as { id: number }).id);
    else {
      this.#expectDiskFull("a send", envelope, "zh-CN");
      this.refused.push(tmpId);
    }
    return envelope.code === 200;
  }

  async #post(index: number, tmpId: string, content: string): Promise<Envelope> {
    const me = this.#people[index];
    const friend = this.#people[index === 1 ? 2 : 1];
    if (me === undefined || friend === undefined) throw new Error("the people are not registered yet");
    const body = { type: 0, content, tmpId };
    const isGroup = index === 0 || index === 3;
    const { envelope, status } = isGroup
      ? await me.call("sendGroupMessage", { body: { ...body, groupId: this.#groupId } })
      : await me.call("sendPrivateMessage", { body: { ...body, recvId: friend.id } });
    if (envelope.code !== 200 && status !== 507) this.violations.push(`a send answered ${status}`);
    return envelope;
  }

  #expectDiskFull(what: string, { code, key, message }: Envelope, language: string): void {
    const expectedMessage =
      this.#options.expectsOtherWording === true && language === "en" ? "" : SENTENCES[language];
    if (code !== 500 || key !== "server.storageFull" || message !== expectedMessage) {
      this.violations.push(`${what} on a full disk was answered ${code} ${key ?? ""} ${message}`);
    }
  }

  /** Checks what must and must not work on a full disk. Returns a person who logged in during it. */
  async #checkReadsStillWork(ann: TestPerson, bob: TestPerson): Promise<TestPerson> {
    const { url } = this.#running();
    for (const language of Object.keys(SENTENCES)) {
      ann.headers = { "accept-language": language };
      this.#expectDiskFull(`an upload in ${language}`, await uploadPicture(ann, 1, 200), language);
    }
    ann.headers = {};
    this.#expectDiskFull("an upload of a file", await uploadFile(ann, Buffer.alloc(400_000)), "zh-CN");
    await this.#fillRemainder(ann);
    const status = async (path: string) => (await fetch(`${url}${path}`)).status;
    const health = [await status("/readyz"), await status("/healthz")];
    if (health[0] !== 503 || health[1] !== 200)
      this.violations.push(`/readyz and /healthz answer ${health.join()}`);

    await this.#checkReads(ann, "reading");
    const phone = await logIn(url, bob.userName, { terminal: 0 });
    await this.#checkReads(phone, "a login from when the disk was full");
    const headers = { refreshToken: encodeURIComponent(phone.tokens.refreshToken) };
    const refreshed = await request(url, "/refreshToken", { method: "PUT", headers });
    if (refreshed.envelope.code !== 200) {
      this.violations.push(`a refresh answered ${JSON.stringify(refreshed.envelope)}`);
      return phone;
    }
    return new TestPerson(
      url,
      phone.id,
      phone.userName,
      refreshed.envelope.data as TestPerson["tokens"],
      phone.device,
    );
  }

  /** Fills the last bytes with small writes: a large message that was refused leaves space for them. */
  async #fillRemainder(ann: TestPerson): Promise<void> {
    for (let n = 0; n < 1_000; n++) {
      const body = { id: ann.id, nickName: "ann", signature: `${n}`.repeat(40) };
      const { envelope } = await ann.call("updateUser", { body });
      if (envelope.code !== 200) return this.#expectDiskFull("a profile", envelope, "zh-CN");
    }
    this.violations.push("small writes are not refused on a full disk");
  }

  async #checkReads(person: TestPerson, what: string): Promise<void> {
    const me = this.#moved(person);
    for (const call of ["listFriends", "listGroups", "listSessions"] as const) {
      const { envelope } = await me.call(call);
      if (envelope.code !== 200)
        this.violations.push(`${what}: ${call} answered ${JSON.stringify(envelope)}`);
    }
    const search = await me.call("searchMessages", { query: { q: "room" } });
    if (search.envelope.code !== 200)
      this.violations.push(`${what}: a search answered ${JSON.stringify(search.envelope)}`);
    const socket = await me.connect();
    await me.ok("pullPrivateMessages", { query: { minId: 0 } });
    const end = await socket.next(
      (frame) => frame.data?.type === MessageType.LOADING && frame.data.content === "false",
    );
    if (end.data?.["failed"] === true) this.violations.push(`${what}: the pull failed`);
    socket.close();
    await socket.closed;
  }

  async #recover(): Promise<void> {
    const end = performance.now() + 30_000;
    for (;;) {
      const { status } = await fetch(`${this.#running().url}/readyz`);
      if (status === 200) break;
      if (performance.now() > end) throw new Error("/readyz does not report that there is space again");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const index of this.#people.keys()) {
      if (!(await this.#send(index, "room again")))
        this.violations.push("a send was refused although there is space");
    }
  }

  /** Sends all refused messages again, as a client does. */
  async #retry(): Promise<void> {
    for (const tmpId of this.refused) {
      const envelope = await this.#post(Number(tmpId.split("-")[1]), tmpId, "again");
      if (envelope.code === 200) this.acknowledged.set(tmpId, (envelope.data as { id: number }).id);
      else this.violations.push(`the retry of ${tmpId} answered ${JSON.stringify(envelope)}`);
    }
  }

  /** Stops the server, checks that a start on the full disk ends with a sentence, and starts it again with space. */
  async #startOnFullDisk(): Promise<void> {
    this.#running().kill("SIGTERM");
    const code = await this.#running().exited;
    if (code !== 0)
      this.violations.push(`SIGTERM ended with ${code}: ${this.#running().output().slice(-500)}`);
    this.#server = undefined;
    this.#disk.fill(0);
    const { code: startCode, output } = await runServer(this.#env);
    if (startCode !== 1 || !output.includes("the disk is full; make room and start again")) {
      this.violations.push(`a start on a full disk ended with ${startCode}: ${output}`);
    }
    this.#disk.free();
    await this.#start();
  }

  #database(): string {
    return join(this.#disk.folder, "data", "parley.sqlite");
  }

  #logPages(): number {
    const db = new Database(this.#database());
    try {
      const [state] = db.pragma("wal_checkpoint(noop)") as { log: number }[];
      return state?.log ?? 0;
    } finally {
      db.close();
    }
  }

  async #checkRows(): Promise<void> {
    this.#running().kill("SIGTERM");
    await this.#running().exited;
    this.#server = undefined;
    const db = new Database(this.#database());
    try {
      const integrity: unknown = db.pragma("integrity_check", { simple: true });
      if (integrity !== "ok") this.violations.push(`integrity_check: ${String(integrity)}`);
      const rows = db.prepare("select tmpId, id from message where tmpId like 'full-%'").all() as {
        tmpId: string;
        id: number;
      }[];
      const ids = new Map(rows.map(({ tmpId, id }) => [tmpId, id]));
      if (ids.size !== rows.length) this.violations.push("two rows have the same tmpId");
      for (const [tmpId, id] of this.acknowledged) {
        if (ids.get(tmpId) !== id)
          this.violations.push(`${tmpId} was acknowledged as ${id} and is ${ids.get(tmpId)}`);
      }
    } finally {
      db.close();
    }
  }
}
