/**
 * Fault K27: an upload is interrupted by the network, by the end of the server, or by a token that expires. The message fails in its chat,
 * or arrives there once with exactly its bytes; those behind it keep their order. What failed can be sent again.
 */
import { createHash, randomBytes } from "node:crypto";
import type { OutgoingFile } from "@parley/core/chats/outgoing-file";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import type { Http, HttpResponse } from "@parley/core/ports";
import { outgoingFile } from "@parley/core/testing/builders";
import { MessageType } from "@parley/protocol/codes";
import { ACCESS_TOKEN_SECONDS, REFRESH_GRACE_MS } from "@parley/protocol/limits";
import { makeGroup, registerPerson, type TestPerson } from "@parley/server/testing/test-person";
import { type ClockServer, startClockServer } from "../controlled-servers.ts";
import { type ClientDevice, startDevice, waitUntilIdle } from "./client-device.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How many uploads are interrupted, and where. */
export interface InterruptedUploadsOptions {
  dataDir: string;
  /** The parts of the body that the server gets. */
  percents: readonly number[];
  /** How often the server ends, and a token expires. */
  rounds: number;
  /** The size of the file. */
  bytes: number;
  /** A planted fault: every upload gets the url of the first file. */
  mixesUpFiles?: boolean;
}

interface Setup {
  readonly server: ClockServer;
  readonly proxy: FaultProxy;
  readonly ann: TestPerson;
  readonly bob: TestPerson;
  readonly groupId: number;
  readonly device: ClientDevice;
  /** The messages that have failed and were sent again. */
  readonly resent: string[];
}

const UPLOAD = "POST /api/file/upload";

/** Runs the battery. */
export async function runInterruptedUploads(options: InterruptedUploadsOptions): Promise<Report> {
  const { dataDir, percents, rounds, bytes, mixesUpFiles = false } = options;
  const env = { DATA_DIR: dataDir, RATE_LIMITS: "off" };
  const violations: string[] = [];
  const resent: string[] = [];
  let server = await startClockServer(env);
  const proxy = await startFaultProxy(server.url);
  try {
    const [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
    const groupId = await makeGroup(ann, [bob]);
    const device = await startDevice(ann, {
      name: `uploads ${ann.userName}`,
      url: proxy.url,
      ...(mixesUpFiles && { wrapHttp: answerFirstUrl }),
    });
    await waitUntilIdle(device);
    const setup = (): Setup => ({ server, proxy, ann, bob, groupId, device, resent });
    for (const percent of percents) {
      const name = `cut after ${percent} %`;
      violations.push(...(await cutUpload(setup(), name, (bytes * percent) / 100, bytes)));
    }
    for (let round = 1; round <= rounds; round++) {
      const interrupted = await sendAndKill(setup(), bytes);
      server = await startClockServer(env);
      proxy.setTarget(server.url);
      const restarted = { ...setup(), ann: movedTo(ann, server), bob: movedTo(bob, server) };
      violations.push(...(await resendAndCheck(restarted, `server end ${round}`, interrupted)));
    }
    const moved = { ...setup(), ann: movedTo(ann, server), bob: movedTo(bob, server) };
    for (let round = 1; round <= rounds; round++)
      violations.push(...(await expireToken(moved, round, Math.min(bytes, 200_000))));
    device.stop();
  } finally {
    await proxy.close();
    server.kill("SIGKILL");
    await server.exited;
  }
  const cuts = `${percents.length} cuts of ${bytes} bytes`;
  return {
    name: "K27 uploads are interrupted",
    done: `${cuts}, ${rounds} ends of the server, ${rounds} expired tokens; ${resent.length} messages sent again`,
    violations,
  };
}

/** What was sent in one chat: a file, a text and another file. */
interface Sent {
  readonly key: ChatKey;
  readonly first: Buffer;
  readonly text: string;
  readonly second: Buffer;
}

async function cutUpload(setup: Setup, name: string, up: number, bytes: number): Promise<string[]> {
  let cuts = 0;
  setup.proxy.injectFaults(({ request }) =>
    request.startsWith(UPLOAD) && cuts++ === 0 ? { cutAfterBytes: { up: Math.max(1, up) } } : undefined,
  );
  const sent = send(setup, `PRIVATE:${setup.bob.id}`, bytes, name);
  // The person goes on to another chat during the upload.
  setup.device.client.chats.open(`GROUP:${setup.groupId}`);
  return resendAndCheck(setup, name, sent);
}

/** Kills the server when it has got half of the file. */
async function sendAndKill(setup: Setup, bytes: number): Promise<Sent> {
  const { device, server, proxy, groupId } = setup;
  proxy.injectFaults(({ request }) => (request.startsWith(UPLOAD) ? { delayMs: 20 } : undefined));
  const sent = send(setup, `GROUP:${groupId}`, bytes, "the server ends");
  await waitUntil("an upload is under way", () => {
    const sentBytes = Object.values(device.client.getState().uploads).map((upload) => upload.sentBytes);
    return Math.max(0, ...sentBytes) > 0 ? undefined : "nothing is sent";
  });
  server.kill("SIGKILL");
  await server.exited;
  proxy.resetConnections();
  proxy.injectFaults(() => undefined);
  return sent;
}

async function expireToken(setup: Setup, round: number, bytes: number): Promise<string[]> {
  const { device, server, bob } = setup;
  const before = device.requests.length;
  await server.setClock(round * (ACCESS_TOKEN_SECONDS * 1_000 + REFRESH_GRACE_MS));
  const sent = send(setup, `PRIVATE:${bob.id}`, bytes, `token ${round}`);
  const violations = await resendAndCheck(setup, `expired token ${round}`, sent, { mayFail: false });
  const refreshes = device.requests.slice(before).filter(({ path }) => path.endsWith("/refreshToken")).length;
  if (refreshes !== 1) violations.push(`expired token ${round}: ${refreshes} refreshes`);
  await server.setClock(0);
  return violations;
}

function send({ device }: Setup, key: ChatKey, bytes: number, text: string): Sent {
  const [first, second] = [randomBytes(bytes), randomBytes(1_000)];
  device.client.chats.sendFiles(key, [fileOf("first.bin", first)]);
  device.client.chats.sendText(key, text);
  device.client.chats.sendFiles(key, [fileOf("second.bin", second)]);
  return { key, first, text, second };
}

function fileOf(name: string, data: Buffer): OutgoingFile {
  const file = new Blob([new Uint8Array(data)], { type: "application/octet-stream" });
  return outgoingFile(name, { size: data.length, mimeType: file.type, file });
}

/** Waits until each message has arrived or failed, sends the failed ones again, and compares what is stored with what was sent. */
async function resendAndCheck(
  setup: Setup,
  name: string,
  { key, first, text, second }: Sent,
  { mayFail = true } = {},
): Promise<string[]> {
  const { device, proxy, bob } = setup;
  const violations: string[] = [];
  const failed = await settle(device, key);
  proxy.injectFaults(() => undefined);
  if (failed.length > 0 && !mayFail) violations.push(`${name}: ${failed.length} messages have failed`);
  if (failed.length === 0 && mayFail) violations.push(`${name}: no upload was interrupted`);
  for (const message of failed) {
    if (message.failure?.kind !== "network")
      violations.push(`${name}: failed as ${JSON.stringify(message.failure)}`);
    device.client.chats.resend(key, message.tmpId ?? "");
    setup.resent.push(name);
  }
  const stillFailed = await settle(device, key);
  for (const { failure } of stillFailed)
    violations.push(`${name}: sent again, it failed as ${JSON.stringify(failure)}`);
  for (const { tmpId } of stillFailed) device.client.chats.discard(key, tmpId ?? "");
  if (Object.keys(device.client.getState().uploads).length > 0)
    violations.push(`${name}: uploads are still shown`);
  const stored = await storedRows(setup, key, 3);
  const expected = [first, second].map(hashOf);
  const hashes = [];
  for (const { type, content } of stored)
    if (type === MessageType.FILE) hashes.push(await hashOfUrl(bob.url, content));
  if (hashes.toSorted().join() !== expected.toSorted().join())
    violations.push(`${name}: the messages name other bytes than those that were sent`);
  if (stored.filter(({ content }) => content === text).length !== 1)
    violations.push(`${name}: the text is not there once`);
  // A message that was sent again comes last; the others keep their order.
  const order = stored.map(({ content }) => (content === text ? "text" : nameOf(content))).join();
  const expectedOrder = failed.some(({ upload }) => upload?.name === "first.bin")
    ? /^text,second\.bin,first\.bin$/
    : /^first\.bin,text,second\.bin$/;
  if (failed.length <= 1 && !expectedOrder.test(order)) violations.push(`${name}: the order is ${order}`);
  return violations;
}

/** Waits until no message is being sent, and returns the failed ones. */
async function settle(device: ClientDevice, key: ChatKey): Promise<readonly ChatMessage[]> {
  const unsent = () =>
    device.client.getState().chats.byKey[key]?.window.messages.filter(({ id }) => id === null) ?? [];
  await waitUntil("every message has arrived or failed", () => {
    const waiting = unsent().filter(({ sending }) => sending !== "failed");
    return waiting.length === 0 ? undefined : `${waiting.length} are being sent`;
  });
  return unsent();
}

/** The newest rows of a chat as the other person reads them. */
async function storedRows({ ann, bob, groupId }: Setup, key: ChatKey, count: number) {
  const current = await bob.elsewhere({ deviceNo: `reader of ${bob.userName}`, clientId: "reader" });
  const rows = key.startsWith("GROUP")
    ? await current.ok("groupHistory", { query: { groupId, size: count } })
    : await current.ok("privateHistory", { query: { friendId: ann.id, size: count } });
  return rows.toSorted((a, b) => a.id - b.id);
}

function nameOf(content: string): string {
  return (JSON.parse(content) as { name: string }).name;
}

const hashOf = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

async function hashOfUrl(origin: string, content: string): Promise<string> {
  const { url } = JSON.parse(content) as { url: string };
  const answer = await fetch(origin + url);
  return answer.ok ? hashOf(new Uint8Array(await answer.arrayBuffer())) : `status ${answer.status}`;
}

/** The same person at a server that was started again. */
function movedTo(person: TestPerson, { url }: ClockServer): TestPerson {
  return Object.assign(Object.create(Object.getPrototypeOf(person) as object) as TestPerson, person, { url });
}

/** Every upload gets the answer of the first one. */
function answerFirstUrl(http: Http): Http {
  let first: HttpResponse | null = null;
  return {
    async request(request) {
      const answer = await http.request(request);
      const isUpload = typeof request.body === "object" && answer.kind === "answer";
      if (isUpload) first ??= answer;
      return isUpload && first !== null ? first : answer;
    },
  };
}
