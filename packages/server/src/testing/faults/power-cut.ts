/**
 * Fault K5: the power is cut. A server works under a recorder while people send, upload and edit; then disks are made as a cut at any
 * moment may leave them, and each must hold all that had left the server by then.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Envelope } from "@parley/protocol/envelope";
import { openStore } from "../../adapters/store/open-store.ts";
import { type TestPerson, befriend, registerPerson as register, makeGroup } from "../test-person.ts";
import { createUniformRandom } from "../uniform-random.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { recordingCalls, whyNotTraced } from "../strace.ts";
import { type Image, imageMaker, wholeImage, writeImage } from "./disk-image.ts";
import { type Trace, readTrace } from "./disk-trace.ts";
import { uploadPicture } from "./upload-picture.ts";
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
  acknowledgements: Acknowledgements;
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
  const recording = await recordRun(options);
  const { done, violations } = await cutPower(recording, images);
  return { name, done, violations: [...recording.violations, ...violations] };
}

export async function recordRun(options: RecordOptions): Promise<Recording> {
  const { dataDir, seed } = options;
  const acknowledgedIds = await work(options);
  const root = join(dataDir, "machine");
  const trace = readTrace(join(dataDir, "trace"), root);
  const final = readFinal(root);
  const acknowledgements = acknowledgementsIn(trace, acknowledgedIds);
  const violations = checkRecorder(trace, final);
  if (acknowledgements.unseen > 0) violations.push(`${acknowledgements.unseen} answers were not recorded`);
  return { dataDir, seed, trace, acknowledgements, final, violations };
}

export async function cutPower(
  { dataDir, seed, trace, acknowledgements, final }: Recording,
  images: number,
): Promise<Omit<Report, "name">> {
  const random = createUniformRandom(seed);
  const first = acknowledgements.all[0]?.line ?? 0;
  const lines = Array.from({ length: images }, (_, index) =>
    // One of ten falls into the first start of the server.
    index % 10 === 0 ? Math.floor(random() * first) : first + Math.floor(random() * (trace.lines - first)),
  ).sort((a, b) => a - b);
  const imageAt = imageMaker(trace);
  const violations: string[] = [];
  let held = 0;
  for (const [index, line] of lines.entries()) {
    const image = imageAt({ line, random: createUniformRandom(seed + index) });
    const acknowledged = acknowledgements.all.filter((promise) => promise.line < line);
    held += acknowledged.length;
    const wrong = await checkImage(image, acknowledged, final, dataDir);
    violations.push(...wrong.map((what) => `cut at line ${line} of ${trace.lines}: ${what}`));
  }
  const done =
    `${images} images of ${trace.lines} calls with ${acknowledgements.messages} messages and ${acknowledgements.files} files acknowledged, ` +
    `${held} promises looked at, ${checkpointsIn(trace)} checkpoints`;
  return { done, violations };
}

/** A planted fault: the disk takes no notice when this folder or file is synced. */
export function removeSyncs(recording: Recording, isMeant: (path: string) => boolean): void {
  for (const { node, to } of recording.trace.namings) {
    if (to !== undefined && isMeant(to)) node.syncs = [];
  }
}

/** What clients were answered. */
interface AcknowledgedIds {
  tmpIds: Set<string>;
  urls: Set<string>;
}

async function work({
  dataDir,
  messages,
  uploads,
  senders,
  script,
}: RecordOptions): Promise<AcknowledgedIds> {
  const root = join(dataDir, "machine");
  // The folder that holds the data folder: the server makes that one itself.
  mkdirSync(root);
  const env = { DATA_DIR: join(root, SERVER_FOLDER), RATE_LIMITS: "off" };
  const server = await startServer(env, {
    under: recordingCalls(join(dataDir, "trace")),
    ...(script !== undefined && { script }),
  });
  const acknowledgedIds: AcknowledgedIds = { tmpIds: new Set(), urls: new Set() };
  try {
    const talks = await createSendLoops(server, senders);
    const goesOn = () => acknowledgedIds.tmpIds.size < messages || acknowledgedIds.urls.size < 2 * uploads;
    await Promise.all(talks.map((sendLoop) => sendWhile(goesOn, sendLoop, acknowledgedIds)));
  } finally {
    // In the middle of whatever it does: nothing is written at a cut that a stop would write.
    server.kill("SIGKILL");
    await server.exited;
  }
  return acknowledgedIds;
}

type SendLoop = (n: number, acknowledgedIds: AcknowledgedIds) => Promise<void>;

async function sendWhile(
  goesOn: () => boolean,
  sendLoop: SendLoop,
  acknowledgedIds: AcknowledgedIds,
): Promise<void> {
  for (let n = 0; goesOn(); n++) await sendLoop(n, acknowledgedIds);
}

async function createSendLoops({ url }: ServerProcess, senders: number): Promise<SendLoop[]> {
  const people = await Promise.all(Array.from({ length: senders }, () => register(url)));
  const [owner] = people;
  if (owner === undefined) return [];
  const groupId = await makeGroup(owner, people.slice(1));
  const talks: SendLoop[] = [];
  for (const [index, me] of people.entries()) {
    const friend: TestPerson = people[index ^ 1] ?? owner;
    if (index % 2 === 0 && friend !== owner && me !== owner) await befriend(me, friend);
    // A socket, so that pushes leave as well.
    await me.connect({ caps: ["changes"] });
    const keep = (envelope: Envelope, tmpId: string, acknowledgedIds: AcknowledgedIds) => {
      if (envelope.code !== 200) throw new Error(`a send answered ${JSON.stringify(envelope)}`);
      acknowledgedIds.tmpIds.add(tmpId);
    };
    talks.push(
      async (n, acknowledgedIds) => {
        const tmpId = `cut-p${index}-${n}`;
        const body = { recvId: friend.id, type: 0, content: words(n), tmpId };
        const { envelope } = await me.call("sendPrivateMessage", { body });
        keep(envelope, tmpId, acknowledgedIds);
        if (n % 10 !== 9 || envelope.code !== 200) return;
        const edit = { recvId: friend.id, type: 7, content: `better ${n}`, quoteMessageId: envelope.data.id };
        const edited = await me.call("sendPrivateMessage", { body: { ...edit, tmpId: `${tmpId}-e` } });
        keep(edited.envelope, `${tmpId}-e`, acknowledgedIds);
      },
      async (n, acknowledgedIds) => {
        const tmpId = `cut-g${index}-${n}`;
        const body = { groupId, type: 0, content: words(n), tmpId };
        keep((await me.call("sendGroupMessage", { body })).envelope, tmpId, acknowledgedIds);
      },
    );
  }
  talks.push(async (n, acknowledgedIds) => {
    const { code, data } = await uploadPicture(owner, n);
    if (code !== 200) throw new Error(`an upload answered ${code}`);
    acknowledgedIds.urls.add(data.originUrl).add(data.thumbUrl);
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
type Acknowledgement = { line: number } & ({ tmpId: string } | { url: string });

interface Acknowledgements {
  all: Acknowledgement[];
  messages: number;
  files: number;
  /** Answers that clients have and the record has not. */
  unseen: number;
}

/** Looked for in all that left the server, answers and pushes: whoever reads it may rely on it. */
function acknowledgementsIn(trace: Trace, acknowledgedIds: AcknowledgedIds): Acknowledgements {
  const all: Acknowledgement[] = [];
  const tmpIds = new Set<string>();
  const urls = new Set<string>();
  for (const { text, start: line } of trace.printed) {
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
    [...acknowledgedIds.tmpIds].filter((tmpId) => !tmpIds.has(tmpId)).length +
    [...acknowledgedIds.urls].filter((url) => !urls.has(url)).length;
  return { all, messages: tmpIds.size, files: urls.size, unseen };
}

/** How often pages went from the log into the database while people sent. */
function checkpointsIn(trace: Trace): number {
  const database = trace.namings.find(({ to }) => to === `${SERVER_FOLDER}/parley.sqlite`)?.node;
  // The first sync made it.
  return (database?.syncs.length ?? 1) - 1;
}

/** Starts on an image as a server would. */
async function checkImage(
  image: Image,
  promises: readonly Acknowledgement[],
  final: Image,
  dataDir: string,
): Promise<string[]> {
  const folder = mkdtempSync(join(dataDir, "image-"));
  try {
    const wrong = checkImageFiles(image, promises, final);
    writeImage(image, folder);
    const data = join(folder, SERVER_FOLDER);
    if (!image.has(SERVER_FOLDER)) return promises.length > 0 ? [...wrong, "the data folder is gone"] : wrong;
    const url = join(data, "parley.sqlite");
    let fatal: Error | undefined;
    const store = await openStore({ url, onFatal: (error) => (fatal = error) });
    await store.close();
    if (fatal !== undefined) wrong.push(fatal.message);
    return [...wrong, ...checkImageDatabase(url, promises)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkImageFiles(image: Image, promises: readonly Acknowledgement[], final: Image): string[] {
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

function checkImageDatabase(url: string, promises: readonly Acknowledgement[]): string[] {
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
