/**
 * Fault K5: the power is cut. The system calls of a server are recorded while people send, upload and edit. Then images of the disk are
 * built as a power cut at any moment may leave it. Each must contain everything that the server had acknowledged by then.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Envelope } from "@parley/protocol/envelope";
import { openStore } from "@parley/server/adapters/store/open-store";
import {
  type TestPerson,
  befriend,
  registerPerson as register,
  makeGroup,
} from "@parley/server/testing/test-person";
import { createUniformRandom } from "../uniform-random.ts";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { recordingCalls, whyNotTraced } from "../strace.ts";
import { type Image, createImageMaker, wholeImage, writeImage } from "./disk-image.ts";
import { type Trace, readTrace } from "./disk-trace.ts";
import { uploadPicture } from "./upload-files.ts";
import type { Report } from "./report.ts";

/** A recording and the number of images. */
export interface PowerCutOptions extends RecordOptions {
  images: number;
}

/** What to record. */
export interface RecordOptions {
  /** An empty folder. */
  dataDir: string;
  seed: number;
  /** The minimum number of messages and uploads. */
  messages: number;
  uploads: number;
  /** How many people write, each to a friend and to a group. */
  senders: number;
  /** For planted faults: another script that starts the server. */
  script?: string;
}

/** A recorded run, which can be cut anywhere. */
export interface Recording {
  dataDir: string;
  seed: number;
  trace: Trace;
  acknowledgements: Acknowledgements;
  /** The files at the end of the run. */
  finalImage: Image;
  /** Faults of the recording itself. */
  violations: string[];
}

const SERVER_FOLDER = "data";

/** Runs the battery. */
export async function runPowerCut({ images, ...options }: PowerCutOptions): Promise<Report> {
  const name = `K5 power cut (seed ${options.seed})`;
  const missing = whyNotTraced();
  if (missing !== undefined)
    return { name, done: `not run: ${missing}`, violations: [`not run: ${missing}`] };
  const recording = await recordRun(options);
  const { done, violations } = await cutPower(recording, images);
  return { name, done, violations: [...recording.violations, ...violations] };
}

/** Runs a server under the recorder. */
export async function recordRun(options: RecordOptions): Promise<Recording> {
  const { dataDir, seed } = options;
  const acknowledgedIds = await recordServer(options);
  const root = join(dataDir, "machine");
  const trace = readTrace(join(dataDir, "trace"), root);
  const finalImage = readFinal(root);
  const acknowledgements = acknowledgementsIn(trace, acknowledgedIds);
  const violations = checkRecorder(trace, finalImage);
  if (acknowledgements.unrecorded > 0)
    violations.push(`${acknowledgements.unrecorded} answers were not recorded`);
  return { dataDir, seed, trace, acknowledgements, finalImage, violations };
}

/** Builds and checks images of a recording. */
export async function cutPower(
  { dataDir, seed, trace, acknowledgements, finalImage }: Recording,
  images: number,
): Promise<Omit<Report, "name">> {
  const random = createUniformRandom(seed);
  const first = acknowledgements.all[0]?.line ?? 0;
  const lines = Array.from({ length: images }, (_, index) =>
    // One of ten is during the first start of the server.
    index % 10 === 0 ? Math.floor(random() * first) : first + Math.floor(random() * (trace.lines - first)),
  ).sort((a, b) => a - b);
  const imageAt = createImageMaker(trace);
  const violations: string[] = [];
  let checked = 0;
  for (const [index, line] of lines.entries()) {
    const image = imageAt({ line, random: createUniformRandom(seed + index) });
    const acknowledged = acknowledgements.all.filter((acknowledgement) => acknowledgement.line < line);
    checked += acknowledged.length;
    const problems = await checkImage(image, acknowledged, finalImage, dataDir);
    violations.push(...problems.map((what) => `cut at line ${line} of ${trace.lines}: ${what}`));
  }
  const done =
    `${images} images of ${trace.lines} calls with ${acknowledgements.messages} messages and ${acknowledgements.files} files acknowledged, ` +
    `${checked} checks, ${checkpointsIn(trace)} checkpoints`;
  return { done, violations };
}

/** A planted fault: syncs of the matching files and folders have no effect. */
export function removeSyncs(recording: Recording, matches: (path: string) => boolean): void {
  for (const { node, to } of recording.trace.nameChanges) {
    if (to !== undefined && matches(to)) node.syncs = [];
  }
}

/** What the server acknowledged to the clients. */
interface AcknowledgedIds {
  tmpIds: Set<string>;
  urls: Set<string>;
}

async function recordServer({
  dataDir,
  messages,
  uploads,
  senders,
  script,
}: RecordOptions): Promise<AcknowledgedIds> {
  const root = join(dataDir, "machine");
  // Only the parent folder: the server creates the data folder itself.
  mkdirSync(root);
  const env = { DATA_DIR: join(root, SERVER_FOLDER), RATE_LIMITS: "off" };
  const server = await startServer(env, {
    under: recordingCalls(join(dataDir, "trace")),
    ...(script !== undefined && { script }),
  });
  const acknowledgedIds: AcknowledgedIds = { tmpIds: new Set(), urls: new Set() };
  try {
    const sendSteps = await createSendSteps(server, senders);
    const shouldContinue = () =>
      acknowledgedIds.tmpIds.size < messages || acknowledgedIds.urls.size < 2 * uploads;
    await Promise.all(sendSteps.map((sendStep) => repeatWhile(shouldContinue, sendStep, acknowledgedIds)));
  } finally {
    // Kill it, so that nothing is written by an orderly shutdown.
    server.kill("SIGKILL");
    await server.exited;
  }
  return acknowledgedIds;
}

/** One send of a person; `n` counts them. */
type SendStep = (n: number, acknowledgedIds: AcknowledgedIds) => Promise<void>;

async function repeatWhile(
  shouldContinue: () => boolean,
  sendStep: SendStep,
  acknowledgedIds: AcknowledgedIds,
): Promise<void> {
  for (let n = 0; shouldContinue(); n++) await sendStep(n, acknowledgedIds);
}

async function createSendSteps({ url }: ServerProcess, senders: number): Promise<SendStep[]> {
  const people = await Promise.all(Array.from({ length: senders }, () => register(url)));
  const [owner] = people;
  if (owner === undefined) return [];
  const groupId = await makeGroup(owner, people.slice(1));
  const sendSteps: SendStep[] = [];
  for (const [index, me] of people.entries()) {
    const friend: TestPerson = people[index ^ 1] ?? owner;
    if (index % 2 === 0 && friend !== owner && me !== owner) await befriend(me, friend);
    // Open a socket, so that there are pushes.
    await me.connect({ caps: ["changes"] });
    const noteAcknowledged = (envelope: Envelope, tmpId: string, acknowledgedIds: AcknowledgedIds) => {
      if (envelope.code !== 200) throw new Error(`a send answered ${JSON.stringify(envelope)}`);
      acknowledgedIds.tmpIds.add(tmpId);
    };
    sendSteps.push(
      async (n, acknowledgedIds) => {
        const tmpId = `cut-p${index}-${n}`;
        const body = { recvId: friend.id, type: 0, content: textOf(n), tmpId };
        const { envelope } = await me.call("sendPrivateMessage", { body });
        noteAcknowledged(envelope, tmpId, acknowledgedIds);
        if (n % 10 !== 9 || envelope.code !== 200) return;
        const edit = { recvId: friend.id, type: 7, content: `better ${n}`, quoteMessageId: envelope.data.id };
        const edited = await me.call("sendPrivateMessage", { body: { ...edit, tmpId: `${tmpId}-e` } });
        noteAcknowledged(edited.envelope, `${tmpId}-e`, acknowledgedIds);
      },
      async (n, acknowledgedIds) => {
        const tmpId = `cut-g${index}-${n}`;
        const body = { groupId, type: 0, content: textOf(n), tmpId };
        noteAcknowledged((await me.call("sendGroupMessage", { body })).envelope, tmpId, acknowledgedIds);
      },
    );
  }
  sendSteps.push(async (n, acknowledgedIds) => {
    const { code, data } = await uploadPicture(owner, n);
    if (code !== 200) throw new Error(`an upload answered ${code}`);
    acknowledgedIds.urls.add(data.originUrl).add(data.thumbUrl);
  });
  return sendSteps;
}

/** The text of a message. Some are longer than a page of the database. */
function textOf(n: number): string {
  return n % 25 === 24 ? "long ".repeat(190) : `message ${n}`;
}

/** Checks that the replayed recording equals the real files. Otherwise the recorder has missed calls. */
function checkRecorder(trace: Trace, found: Image): string[] {
  const image = wholeImage(trace);
  const violations: string[] = [];
  for (const path of new Set([...image.keys(), ...found.keys()])) {
    const [recorded, real] = [image.get(path), found.get(path)];
    if (image.has(path) !== found.has(path))
      violations.push(
        `the recording ${image.has(path) ? "has the unknown file" : "does not have the file"} ${path}`,
      );
    else if (recorded !== undefined && real !== undefined && !recorded.equals(real)) {
      violations.push(
        `the recording of ${path} differs (${recorded.length} instead of ${real.length} bytes)`,
      );
    }
  }
  return violations;
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

/** An acknowledgement that the server had sent on this line. */
type Acknowledgement = { line: number } & ({ tmpId: string } | { url: string });

interface Acknowledgements {
  all: Acknowledgement[];
  messages: number;
  files: number;
  /** Answers that clients received but that are not in the recording. */
  unrecorded: number;
}

/** Finds the acknowledgements in all sent answers and pushes. A client may rely on both. */
function acknowledgementsIn(trace: Trace, acknowledgedIds: AcknowledgedIds): Acknowledgements {
  const all: Acknowledgement[] = [];
  const tmpIds = new Set<string>();
  const urls = new Set<string>();
  for (const { text, start: line } of trace.sent) {
    for (const [, tmpId = ""] of text.matchAll(/"tmpId":"(cut-[^"]+)"/g)) {
      if (!tmpIds.has(tmpId)) all.push({ line, tmpId });
      tmpIds.add(tmpId);
    }
    for (const [, url = ""] of text.matchAll(/"(?:originUrl|thumbUrl)":"(\/files\/[^"]+)"/g)) {
      if (!urls.has(url)) all.push({ line, url });
      urls.add(url);
    }
  }
  const unrecorded =
    [...acknowledgedIds.tmpIds].filter((tmpId) => !tmpIds.has(tmpId)).length +
    [...acknowledgedIds.urls].filter((url) => !urls.has(url)).length;
  return { all, messages: tmpIds.size, files: urls.size, unrecorded };
}

/** How often the log was written back into the database. */
function checkpointsIn(trace: Trace): number {
  const database = trace.nameChanges.find(({ to }) => to === `${SERVER_FOLDER}/parley.sqlite`)?.node;
  // The first sync is from the creation of the database.
  return (database?.syncs.length ?? 1) - 1;
}

/** Opens an image as a server does and checks it. */
async function checkImage(
  image: Image,
  acknowledgements: readonly Acknowledgement[],
  finalImage: Image,
  dataDir: string,
): Promise<string[]> {
  const folder = mkdtempSync(join(dataDir, "image-"));
  try {
    const violations = checkImageFiles(image, acknowledgements, finalImage);
    writeImage(image, folder);
    const data = join(folder, SERVER_FOLDER);
    if (!image.has(SERVER_FOLDER))
      return acknowledgements.length > 0 ? [...violations, "the data folder is missing"] : violations;
    const url = join(data, "parley.sqlite");
    let fatal: Error | undefined;
    const store = await openStore({ url, onFatal: (error) => (fatal = error) });
    await store.close();
    if (fatal !== undefined) violations.push(fatal.message);
    return [...violations, ...checkImageDatabase(url, acknowledgements)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkImageFiles(
  image: Image,
  acknowledgements: readonly Acknowledgement[],
  finalImage: Image,
): string[] {
  const violations: string[] = [];
  const mustBe = (path: string, what: string) => {
    const [found, real] = [image.get(path), finalImage.get(path)];
    if (found === undefined || real === undefined) violations.push(`${what} is missing`);
    else if (!found.equals(real)) violations.push(`${what} is not complete`);
  };
  for (const acknowledgement of acknowledgements) {
    if ("url" in acknowledgement)
      mustBe(`${SERVER_FOLDER}${acknowledgement.url}`, `the uploaded ${acknowledgement.url}`);
  }
  // Every acknowledgement comes after a login, so the secret was stored before.
  if (acknowledgements.length > 0) mustBe(`${SERVER_FOLDER}/secret`, "the secret");
  return violations;
}

function checkImageDatabase(url: string, acknowledgements: readonly Acknowledgement[]): string[] {
  const db = new Database(url, { readonly: true });
  try {
    const violations: string[] = [];
    const integrity: unknown = db.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") violations.push(`integrity_check: ${String(integrity)}`);
    const list = (sql: string) => new Set(db.prepare(sql).pluck().all() as string[]);
    const tmpIds = list("select tmpId from message where tmpId is not null");
    const urls = list("select url from file");
    const lost = acknowledgements.filter((acknowledgement) =>
      "tmpId" in acknowledgement ? !tmpIds.has(acknowledgement.tmpId) : !urls.has(acknowledgement.url),
    );
    const [one] = lost;
    if (one !== undefined) {
      violations.push(
        `${lost.length} of ${acknowledgements.length} are lost, such as ${"tmpId" in one ? one.tmpId : one.url}`,
      );
    }
    return violations;
  } finally {
    db.close();
  }
}
