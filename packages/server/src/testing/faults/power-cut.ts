/**
 * Fault K5: the power is cut. A server works under a recorder while people send, upload and edit; then disks are made as a cut at any
 * moment may leave them, and each must hold all that had left the server by then.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Envelope } from "@parley/protocol/envelope";
import { openStore } from "../../adapters/store/open.ts";
import { type Person, befriend, join as register, makeGroup } from "../people.ts";
import { createRandom } from "../random.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { recording, whyNotTraced } from "../strace.ts";
import { type Image, imageMaker, wholeImage, writeImage } from "./disk-image.ts";
import { type Trace, readTrace } from "./disk-trace.ts";
import { upload } from "./pictures.ts";
import type { Report } from "./report.ts";

export interface PowerCutOptions extends RecordOptions {
  images: number;
}

export interface RecordOptions {
  /** An empty folder. */
  dataDir: string;
  seed: number;
  /** So many are sent and uploaded at least. */
  messages: number;
  uploads: number;
  /** Those who write to one friend each; as many again write to groups. */
  senders: number;
  /** A planted fault: another script that starts the server. */
  script?: string;
}

/** A run of a server, to be cut anywhere. */
export interface Recording {
  dataDir: string;
  seed: number;
  trace: Trace;
  promises: Promises;
  /** What lay there in the end. */
  final: Image;
  /** What is wrong with the recording itself. */
  violations: string[];
}

const SERVER_FOLDER = "data";

export async function runPowerCut({ images, ...options }: PowerCutOptions): Promise<Report> {
  const name = `K5 power cut (seed ${options.seed})`;
  const missing = whyNotTraced();
  if (missing !== undefined)
    return { name, done: `not run: ${missing}`, violations: [`not run: ${missing}`] };
  const recording = await record(options);
  const { done, violations } = await cutPower(recording, images);
  return { name, done, violations: [...recording.violations, ...violations] };
}

export async function record(options: RecordOptions): Promise<Recording> {
  const { dataDir, seed } = options;
  const told = await work(options);
  const root = join(dataDir, "machine");
  const trace = readTrace(join(dataDir, "trace"), root);
  const final = readFinal(root);
  const promises = promisesIn(trace, told);
  const violations = checkRecorder(trace, final);
  if (promises.unseen > 0) violations.push(`${promises.unseen} answers were not recorded`);
  return { dataDir, seed, trace, promises, final, violations };
}

export async function cutPower(
  { dataDir, seed, trace, promises, final }: Recording,
  images: number,
): Promise<Omit<Report, "name">> {
  const random = createRandom(seed);
  const first = promises.all[0]?.line ?? 0;
  const lines = Array.from({ length: images }, (_, index) =>
    // One of ten falls into the first start of the server.
    index % 10 === 0 ? Math.floor(random() * first) : first + Math.floor(random() * (trace.lines - first)),
  ).sort((a, b) => a - b);
  const imageAt = imageMaker(trace);
  const violations: string[] = [];
  let held = 0;
  for (const [index, line] of lines.entries()) {
    const image = imageAt({ line, random: createRandom(seed + index) });
    const acknowledged = promises.all.filter((promise) => promise.line < line);
    held += acknowledged.length;
    const wrong = await judge(image, acknowledged, final, dataDir);
    violations.push(...wrong.map((what) => `cut at line ${line} of ${trace.lines}: ${what}`));
  }
  const done =
    `${images} images of ${trace.lines} calls with ${promises.messages} messages and ${promises.files} files acknowledged, ` +
    `${held} promises looked at, ${checkpointsIn(trace)} checkpoints`;
  return { done, violations };
}

/** A planted fault: the disk takes no notice when this folder or file is synced. */
export function deafen(recording: Recording, isMeant: (path: string) => boolean): void {
  for (const { node, to } of recording.trace.namings) {
    if (to !== undefined && isMeant(to)) node.syncs = [];
  }
}

/** What clients were answered. */
interface Told {
  tmpIds: Set<string>;
  urls: Set<string>;
}

async function work({ dataDir, messages, uploads, senders, script }: RecordOptions): Promise<Told> {
  const root = join(dataDir, "machine");
  // The folder that holds the data folder: the server makes that one itself.
  mkdirSync(root);
  const env = { DATA_DIR: join(root, SERVER_FOLDER), RATE_LIMITS: "off" };
  const server = await startServer(env, {
    under: recording(join(dataDir, "trace")),
    ...(script !== undefined && { script }),
  });
  const told: Told = { tmpIds: new Set(), urls: new Set() };
  try {
    const talks = await makeTalks(server, senders);
    const goesOn = () => told.tmpIds.size < messages || told.urls.size < 2 * uploads;
    await Promise.all(talks.map((talk) => talkWhile(goesOn, talk, told)));
  } finally {
    // In the middle of whatever it does: nothing is written at a cut that a stop would write.
    server.kill("SIGKILL");
    await server.exited;
  }
  return told;
}

type Talk = (n: number, told: Told) => Promise<void>;

async function talkWhile(goesOn: () => boolean, talk: Talk, told: Told): Promise<void> {
  for (let n = 0; goesOn(); n++) await talk(n, told);
}

async function makeTalks({ url }: ServerProcess, senders: number): Promise<Talk[]> {
  const people = await Promise.all(Array.from({ length: senders }, () => register(url)));
  const [owner] = people;
  if (owner === undefined) return [];
  const groupId = await makeGroup(owner, people.slice(1));
  const talks: Talk[] = [];
  for (const [index, me] of people.entries()) {
    const friend: Person = people[index ^ 1] ?? owner;
    if (index % 2 === 0 && friend !== owner && me !== owner) await befriend(me, friend);
    // A socket, so that pushes leave as well.
    await me.connect({ caps: ["changes"] });
    const keep = (envelope: Envelope, tmpId: string, told: Told) => {
      if (envelope.code !== 200) throw new Error(`a send answered ${JSON.stringify(envelope)}`);
      told.tmpIds.add(tmpId);
    };
    talks.push(
      async (n, told) => {
        const tmpId = `cut-p${index}-${n}`;
        const body = { recvId: friend.id, type: 0, content: words(n), tmpId };
        const { envelope } = await me.call("sendPrivateMessage", { body });
        keep(envelope, tmpId, told);
        if (n % 10 !== 9 || envelope.code !== 200) return;
        const edit = { recvId: friend.id, type: 7, content: `better ${n}`, quoteMessageId: envelope.data.id };
        const edited = await me.call("sendPrivateMessage", { body: { ...edit, tmpId: `${tmpId}-e` } });
        keep(edited.envelope, `${tmpId}-e`, told);
      },
      async (n, told) => {
        const tmpId = `cut-g${index}-${n}`;
        const body = { groupId, type: 0, content: words(n), tmpId };
        keep((await me.call("sendGroupMessage", { body })).envelope, tmpId, told);
      },
    );
  }
  talks.push(async (n, told) => {
    const { code, data } = await upload(owner, n);
    if (code !== 200) throw new Error(`an upload answered ${code}`);
    told.urls.add(data.originUrl).add(data.thumbUrl);
  });
  return talks;
}

/** Some are longer than a page of the database. */
function words(n: number): string {
  return n % 25 === 24 ? "long ".repeat(190) : `message ${n}`;
}

/** Everything that was recorded, put together, must be what lies there: else the recorder has missed something. */
function checkRecorder(trace: Trace, found: Image): string[] {
  const image = wholeImage(trace);
  const wrong: string[] = [];
  for (const path of new Set([...image.keys(), ...found.keys()])) {
    const [made, real] = [image.get(path), found.get(path)];
    if (image.has(path) !== found.has(path))
      wrong.push(`the recording ${image.has(path) ? "adds" : "lacks"} ${path}`);
    else if (made !== undefined && real !== undefined && !made.equals(real)) {
      wrong.push(`the recording of ${path} differs (${made.length} for ${real.length} bytes)`);
    }
  }
  return wrong;
}

function readFinal(root: string): Image {
  const image: Image = new Map();
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (/-shm$|admin\.sock$/.test(name)) continue;
    const path = join(root, name);
    image.set(name, statSync(path).isDirectory() ? undefined : readFileSync(path));
  }
  return image;
}

/** What had left the server before this line. */
type Promised = { line: number } & ({ tmpId: string } | { url: string });

interface Promises {
  all: Promised[];
  messages: number;
  files: number;
  /** Answers that clients have and the record has not. */
  unseen: number;
}

/** Looked for in all that left the server, answers and pushes: whoever reads it may rely on it. */
function promisesIn(trace: Trace, told: Told): Promises {
  const all: Promised[] = [];
  const tmpIds = new Set<string>();
  const urls = new Set<string>();
  for (const { text, start: line } of trace.said) {
    for (const [, tmpId = ""] of text.matchAll(/"tmpId":"(cut-[^"]+)"/g)) {
      if (!tmpIds.has(tmpId)) all.push({ line, tmpId });
      tmpIds.add(tmpId);
    }
    for (const [, url = ""] of text.matchAll(/"(?:originUrl|thumbUrl)":"(\/files\/[^"]+)"/g)) {
      if (!urls.has(url)) all.push({ line, url });
      urls.add(url);
    }
  }
  const unseen =
    [...told.tmpIds].filter((tmpId) => !tmpIds.has(tmpId)).length +
    [...told.urls].filter((url) => !urls.has(url)).length;
  return { all, messages: tmpIds.size, files: urls.size, unseen };
}

/** How often pages went from the log into the database while people sent. */
function checkpointsIn(trace: Trace): number {
  const database = trace.namings.find(({ to }) => to === `${SERVER_FOLDER}/parley.sqlite`)?.node;
  // The first sync made it.
  return (database?.syncs.length ?? 1) - 1;
}

/** Starts on an image as a server would. */
async function judge(
  image: Image,
  promises: readonly Promised[],
  final: Image,
  dataDir: string,
): Promise<string[]> {
  const folder = mkdtempSync(join(dataDir, "image-"));
  try {
    const wrong = judgeFiles(image, promises, final);
    writeImage(image, folder);
    const data = join(folder, SERVER_FOLDER);
    if (!image.has(SERVER_FOLDER)) return promises.length > 0 ? [...wrong, "the data folder is gone"] : wrong;
    const url = join(data, "parley.sqlite");
    let fatal: Error | undefined;
    const store = await openStore({ url, onFatal: (error) => (fatal = error) });
    await store.close();
    if (fatal !== undefined) wrong.push(fatal.message);
    return [...wrong, ...judgeDatabase(url, promises)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judgeFiles(image: Image, promises: readonly Promised[], final: Image): string[] {
  const wrong: string[] = [];
  const mustBe = (path: string, what: string) => {
    const [found, real] = [image.get(path), final.get(path)];
    if (found === undefined || real === undefined) wrong.push(`${what} is gone`);
    else if (!found.equals(real)) wrong.push(`${what} is not whole`);
  };
  for (const promise of promises) {
    if ("url" in promise) mustBe(`${SERVER_FOLDER}${promise.url}`, `the uploaded ${promise.url}`);
  }
  // Whoever was answered has logged in before.
  if (promises.length > 0) mustBe(`${SERVER_FOLDER}/secret`, "the secret");
  return wrong;
}

function judgeDatabase(url: string, promises: readonly Promised[]): string[] {
  const db = new Database(url, { readonly: true });
  try {
    const wrong: string[] = [];
    const integrity: unknown = db.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") wrong.push(`integrity_check: ${String(integrity)}`);
    const list = (sql: string) => new Set(db.prepare(sql).pluck().all() as string[]);
    const tmpIds = list(
      "select tmpId from privateMessage where tmpId is not null union all select tmpId from groupMessage where tmpId is not null",
    );
    const urls = list("select url from file");
    const lost = promises.filter((promise) =>
      "tmpId" in promise ? !tmpIds.has(promise.tmpId) : !urls.has(promise.url),
    );
    const [one] = lost;
    if (one !== undefined) {
      wrong.push(
        `${lost.length} of ${promises.length} are lost, such as ${"tmpId" in one ? one.tmpId : one.url}`,
      );
    }
    return wrong;
  } finally {
    db.close();
  }
}
