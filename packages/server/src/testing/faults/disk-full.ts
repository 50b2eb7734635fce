/**
 * Fault K7: the disk is full. A server on a small disk whose room is taken and given back: what finds no room is refused by name, all that
 * only reads goes on, and with the room everything is as it was, and nothing acknowledged is lost.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { MessageType } from "@parley/protocol/codes";
import type { Envelope } from "@parley/protocol/envelope";
import {
  TestPerson,
  befriend,
  registerPerson as register,
  logIn,
  makeGroup,
  request,
} from "../test-person.ts";
import { createUniformRandom } from "../uniform-random.ts";
import { type ServerProcess, runServer, startServer } from "../server-process.ts";
import { type SmallDisk, mountSmallDisk, whyNoSmallDisk } from "../small-disk.ts";
import { uploadPicture } from "./upload-picture.ts";
import type { Report } from "./report.ts";

export interface DiskFullOptions {
  seed: number;
  /** How often the room is taken and given back. */
  rounds: number;
  /** Left of the disk the first time: the log takes it, and is folded at 16 MB. */
  freeBytes: number;
  /** Planted: expects other words than are said in English. */
  expectsOtherWording?: boolean;
}

/** More than all that is ever sent: some megabytes each time, for the log has room of its own. */
const DISK_MEBIBYTES = 64;
const ROUND_MEBIBYTES = 4;
const SENTENCES: Record<string, string> = {
  "zh-CN": "服务器存储空间已满，暂时无法保存，请稍后再试",
  "zh-TW": "伺服器儲存空間已滿，暫時無法儲存，請稍後再試",
  en: "The server's storage is full, nothing can be stored for now, try again later",
};

export async function runDiskFull(options: DiskFullOptions): Promise<Report> {
  const name = `K7 full disk (seed ${options.seed})`;
  const missing = whyNoSmallDisk();
  if (missing !== undefined)
    return { name, done: `not run: ${missing}`, violations: [`not run: ${missing}`] };
  const disk = await mountSmallDisk(DISK_MEBIBYTES + options.rounds * ROUND_MEBIBYTES);
  const run = new DiskFullRun(disk, options);
  try {
    await run.play();
  } catch (error) {
    run.violations.push(`${error instanceof Error ? error.message : String(error)}; ${run.lastWords()}`);
  } finally {
    await run.end();
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

  lastWords(): string {
    return `the server said ${this.#server?.output().slice(-1_000) ?? "nothing"}`;
  }

  async end(): Promise<void> {
    this.#server?.kill("SIGKILL");
    await this.#server?.exited;
  }

  async play(): Promise<void> {
    await this.#start();
    const { url } = this.#running();
    this.#people = await Promise.all(Array.from({ length: 4 }, () => register(url)));
    const [ann, bob, cat] = this.#people;
    if (ann === undefined || bob === undefined || cat === undefined) return;
    this.#groupId = await makeGroup(ann, this.#people.slice(1));
    await befriend(bob, cat);
    let late: TestPerson | undefined;
    for (let round = 0; round < this.#options.rounds; round++) {
      this.#disk.fill(round === 0 ? this.#options.freeBytes : Math.floor(this.#random() * 65_536));
      const before = this.refused.length;
      await this.#sendUntilFull();
      if (this.refused.length === before) this.violations.push("a disk without room took everything");
      if (round === 0) {
        this.logPages = this.#logPages();
        late = await this.#checkReadsStillWork(ann, bob);
      }
      this.#disk.free();
      await this.#recover();
    }
    await this.#retry();
    await this.#startOnFullDisk();
    if (late !== undefined) await this.#expect(late, "a login of when the disk was full, after a restart");
    await this.#checkRows();
  }

  #running(): ServerProcess {
    if (this.#server === undefined) throw new Error("no server runs");
    return this.#server;
  }

  get #env(): Record<string, string> {
    return { DATA_DIR: join(this.#disk.folder, "data"), RATE_LIMITS: "off", LOG_LEVEL: "info" };
  }

  async #start(): Promise<void> {
    // The log lies on the same disk.
    this.#server = await startServer(this.#env, { stdout: join(this.#disk.folder, "log") });
    this.#people = this.#people.map((person) => this.#moved(person));
  }

  #moved({ id, userName, tokens, device }: TestPerson): TestPerson {
    return new TestPerson(this.#running().url, id, userName, tokens, device);
  }

  /** Everybody goes on until each was refused a few times. */
  async #sendUntilFull(): Promise<void> {
    const talk = async (index: number) => {
      for (let refused = 0; refused < 3;) {
        const isStored = await this.#send(index, "满".repeat(1_000));
        if (!isStored) refused++;
        if (this.#sends > 200_000) throw new Error("the disk does not fill");
      }
    };
    await Promise.all(this.#people.map((_, index) => talk(index)));
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
    if (me === undefined || friend === undefined) throw new Error("nobody is there");
    const body = { type: 0, content, tmpId };
    const isGroup = index === 0 || index === 3;
    const { envelope, status } = isGroup
      ? await me.call("sendGroupMessage", { body: { ...body, groupId: this.#groupId } })
      : await me.call("sendPrivateMessage", { body: { ...body, recvId: friend.id } });
    if (envelope.code !== 200 && status !== 507) this.violations.push(`a send answered ${status}`);
    return envelope;
  }

  #expectDiskFull(what: string, { code, key, message }: Envelope, language: string): void {
    const words = this.#options.expectsOtherWording === true && language === "en" ? "" : SENTENCES[language];
    if (code !== 500 || key !== "server.storageFull" || message !== words) {
      this.violations.push(`${what} on a full disk was answered ${code} ${key ?? ""} ${message}`);
    }
  }

  /** All that must and must not work without room. Answers who logged in then. */
  async #checkReadsStillWork(ann: TestPerson, bob: TestPerson): Promise<TestPerson> {
    const { url } = this.#running();
    for (const language of Object.keys(SENTENCES)) {
      ann.headers = { "accept-language": language };
      this.#expectDiskFull(`an upload in ${language}`, await uploadPicture(ann, 1, 200), language);
    }
    ann.headers = {};
    await this.#fillRemainder(ann);
    const status = async (path: string) => (await fetch(`${url}${path}`)).status;
    const health = [await status("/readyz"), await status("/healthz")];
    if (health[0] !== 503 || health[1] !== 200)
      this.violations.push(`/readyz and /healthz answer ${health.join()}`);

    await this.#expect(ann, "reading");
    const late = await logIn(url, bob.userName, { terminal: 0 });
    await this.#expect(late, "a login of when the disk was full");
    const headers = { refreshToken: encodeURIComponent(late.tokens.refreshToken) };
    const refreshed = await request(url, "/refreshToken", { method: "PUT", headers });
    if (refreshed.envelope.code !== 200) {
      this.violations.push(`a refresh answered ${JSON.stringify(refreshed.envelope)}`);
      return late;
    }
    return new TestPerson(
      url,
      late.id,
      late.userName,
      refreshed.envelope.data as TestPerson["tokens"],
      late.device,
    );
  }

  /** What was written of a message that found no room is room for what is smaller. */
  async #fillRemainder(ann: TestPerson): Promise<void> {
    for (let n = 0; n < 1_000; n++) {
      const body = { id: ann.id, nickName: "ann", signature: `${n}`.repeat(40) };
      const { envelope } = await ann.call("updateUser", { body });
      if (envelope.code !== 200) return this.#expectDiskFull("a profile", envelope, "zh-CN");
    }
    this.violations.push("small writes go on without room");
  }

  async #expect(person: TestPerson, what: string): Promise<void> {
    const me = this.#moved(person);
    for (const call of ["listFriends", "listGroups", "listSessions"] as const) {
      const { envelope } = await me.call(call);
      if (envelope.code !== 200)
        this.violations.push(`${what}: ${call} answered ${JSON.stringify(envelope)}`);
    }
    const found = await me.call("searchMessages", { query: { q: "room" } });
    if (found.envelope.code !== 200)
      this.violations.push(`${what}: a search answered ${JSON.stringify(found.envelope)}`);
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
      if (performance.now() > end) throw new Error("there is room, and /readyz does not say so");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const index of this.#people.keys()) {
      if (!(await this.#send(index, "room again"))) this.violations.push("refused with room enough");
    }
  }

  /** What was refused is sent again, as a client does. */
  async #retry(): Promise<void> {
    for (const tmpId of this.refused) {
      const envelope = await this.#post(Number(tmpId.split("-")[1]), tmpId, "again");
      if (envelope.code === 200) this.acknowledged.set(tmpId, (envelope.data as { id: number }).id);
      else this.violations.push(`the retry of ${tmpId} answered ${JSON.stringify(envelope)}`);
    }
  }

  /** Stopped in order; then a start without room, which may be refused by a sentence; then one with room. */
  async #startOnFullDisk(): Promise<void> {
    this.#running().kill("SIGTERM");
    const code = await this.#running().exited;
    if (code !== 0)
      this.violations.push(`SIGTERM ended with ${code}: ${this.#running().output().slice(-500)}`);
    this.#server = undefined;
    this.#disk.fill(0);
    const { code: refused, output } = await runServer(this.#env);
    if (refused !== 1 || !output.includes("the disk is full; make room and start again")) {
      this.violations.push(`a start on a full disk ended with ${refused}: ${output}`);
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
      const rows = db
        .prepare(
          "select tmpId, id from privateMessage where tmpId like 'full-%' union all select tmpId, id from groupMessage where tmpId like 'full-%'",
        )
        .all() as { tmpId: string; id: number }[];
      const ids = new Map(rows.map(({ tmpId, id }) => [tmpId, id]));
      if (ids.size !== rows.length) this.violations.push("two rows of one tmpId");
      for (const [tmpId, id] of this.acknowledged) {
        if (ids.get(tmpId) !== id)
          this.violations.push(`${tmpId} was acknowledged as ${id} and is ${ids.get(tmpId)}`);
      }
    } finally {
      db.close();
    }
  }
}
