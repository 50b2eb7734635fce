/**
 * Fault K1: kills the real server at random moments while people send, and starts it again on the same folder. Throws at the
 * first broken promise.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Envelope } from "@parley/protocol/envelope";
import { FIRST_PULL_GROUP_MAX, FIRST_PULL_PRIVATE_MAX } from "@parley/protocol/limits";
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import type { Report } from "./faults/report.ts";
import {
  TestPerson,
  befriend,
  registerPerson as register,
  makeGroup,
} from "@parley/server/testing/test-person";
import { createUniformRandom } from "./uniform-random.ts";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";

/** How many senders and kills; `seed` decides the moments of the kills. */
export interface CrashRecoveryOptions {
  dataDir: string;
  cycles: number;
  /** Continues with more cycles until this many messages are acknowledged. */
  acknowledged?: number;
  /** How many people write to one friend each. */
  senders: number;
  /** How many people write to one group. */
  groupSenders: number;
  seed: number;
  /** Damages the folder after each kill, for a test of this battery. */
  corrupt?(dataDir: string): void;
}

/** What a run did. */
export interface CrashRecoveryResult {
  kills: number;
  acknowledged: number;
  /** Sends that were stored although a kill prevented the answer. */
  storedUnanswered: number;
  /** The median time of a start after a kill. */
  startMs: number;
}

interface SentMessage {
  tmpId: string;
  content: string;
  answer: Message | undefined;
}

type Message = PrivateMessage | GroupMessage;

interface Sender {
  me: TestPerson;
  /** The other people who receive this sender's messages. */
  others: readonly TestPerson[];
  /** Undefined for a sender of private messages to the one other person. */
  groupId: number | undefined;
  journal: SentMessage[];
}

/** Runs the battery and reports it as a row of the table. */
export async function reportCrashRecovery(options: CrashRecoveryOptions): Promise<Report> {
  const name = `K1 killed at random (seed ${options.seed})`;
  try {
    const { kills, acknowledged, storedUnanswered, startMs } = await runCrashRecovery(options);
    const done = `${kills} kills, ${acknowledged} acknowledged, ${storedUnanswered} stored without an answer, start ${Math.round(startMs)} ms`;
    return { name, done, violations: [] };
  } catch (error) {
    return { name, done: "stopped", violations: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Runs the battery. Throws if a promise is broken. */
export async function runCrashRecovery(options: CrashRecoveryOptions): Promise<CrashRecoveryResult> {
  const { dataDir, cycles, acknowledged = 0, seed } = options;
  const random = createUniformRandom(seed);
  const env = { DATA_DIR: dataDir, RATE_LIMITS: "off" };
  const result: CrashRecoveryResult = { kills: 0, acknowledged: 0, storedUnanswered: 0, startMs: 0 };
  const starts: number[] = [];
  let server = await startServer(env);
  let allSenders = await createSenders(server.url, options);
  const sentCount = () => allSenders.reduce((total, { journal }) => total + journal.length, 0);

  try {
    for (let cycle = 0; cycle < cycles || sentCount() < acknowledged; cycle++) {
      const kill = killAfter(server, 20 + random() * 280);
      await Promise.all(allSenders.map((sender) => sendUntilKilled(sender)));
      await kill;
      result.kills++;
      options.corrupt?.(dataDir);
      const started = performance.now();
      server = await startServer(env);
      starts.push(performance.now() - started);
      allSenders = allSenders.map((sender) => moveTo(server.url, sender));
      await checkRetries(allSenders, result);
    }

    await checkPulls(allSenders);
    result.startMs = starts.sort((a, b) => a - b)[starts.length >> 1] ?? 0;
    result.acknowledged = sentCount();
    server.kill("SIGTERM");
    const code = await server.exited;
    if (code !== 0) throw new Error(`SIGTERM ended with ${code}: ${server.output()}`);
  } finally {
    server.kill("SIGKILL");
  }
  checkFile(dataDir);
  return result;
}

/** Pairs of friends, each sending to the other, and a group in which all send. */
async function createSenders(
  url: string,
  { senders, groupSenders }: Pick<CrashRecoveryOptions, "senders" | "groupSenders">,
): Promise<Sender[]> {
  const allSenders: Sender[] = [];
  const addSender = (me: TestPerson, others: readonly TestPerson[], groupId?: number) =>
    allSenders.push({ me, others, groupId, journal: [] });
  for (let i = 0; i < senders; i += 2) {
    const [a, b] = [await register(url), await register(url)];
    await befriend(a, b);
    addSender(a, [b]);
    addSender(b, [a]);
  }
  const members = await Promise.all(Array.from({ length: groupSenders }, () => register(url)));
  const [owner, ...otherMembers] = members;
  if (owner === undefined) return allSenders;
  const groupId = await makeGroup(owner, otherMembers);
  for (const me of members)
    addSender(
      me,
      members.filter((other) => other !== me),
      groupId,
    );
  return allSenders;
}

function moveTo(url: string, sender: Sender): Sender {
  const moved = (person: TestPerson) =>
    new TestPerson(url, person.id, person.userName, person.tokens, person.device);
  return { ...sender, me: moved(sender.me), others: sender.others.map(moved) };
}

async function killAfter(server: ServerProcess, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  server.kill("SIGKILL");
  await server.exited;
}

/** Sends one message after the other until the server is dead. The last one stays in the journal without an answer. */
async function sendUntilKilled(sender: Sender): Promise<void> {
  for (;;) {
    const n = sender.journal.length;
    const sent: SentMessage = { tmpId: `${sender.me.id}-${n}`, content: `message ${n}`, answer: undefined };
    sender.journal.push(sent);
    try {
      sent.answer = await send(sender, sent);
    } catch (error) {
      if (error instanceof SendRejectedError) throw error;
      return;
    }
  }
}

async function send({ me, others, groupId }: Sender, { tmpId, content }: SentMessage): Promise<Message> {
  const body = { type: 0, content, tmpId };
  const { envelope }: { envelope: Envelope<Message> } =
    groupId === undefined
      ? await me.call("sendPrivateMessage", { body: { ...body, recvId: others[0]?.id ?? 0 } })
      : await me.call("sendGroupMessage", { body: { ...body, groupId } });
  if (envelope.code !== 200) throw new SendRejectedError(JSON.stringify(envelope));
  return envelope.data;
}

/** The server answered with an error. */
class SendRejectedError extends Error {}

/** Sends the last messages of each sender again, answered or not. Every retry must return the same row. */
async function checkRetries(allSenders: readonly Sender[], result: CrashRecoveryResult): Promise<void> {
  for (const sender of allSenders) {
    const { journal } = sender;
    for (const sent of journal.slice(-2)) {
      const before = sent.answer;
      const stored = before ?? (await findByTmpId(sender, sent.tmpId));
      if (before === undefined && stored !== undefined) result.storedUnanswered++;
      const [first, second] = [await send(sender, sent), await send(sender, sent)];
      for (const answer of [first, second]) {
        const expected = stored ?? first;
        if (answer.id !== expected.id || answer.sendTime !== expected.sendTime) {
          throw new Error(`the retry of ${sent.tmpId} answered ${answer.id} instead of ${expected.id}`);
        }
      }
      sent.answer = first;
    }
  }
}

async function findByTmpId({ me, others, groupId }: Sender, tmpId: string): Promise<Message | undefined> {
  const page: Message[] =
    groupId === undefined
      ? await me.ok("privateHistory", { query: { friendId: others[0]?.id ?? 0, size: 50 } })
      : await me.ok("groupHistory", { query: { groupId, size: 50 } });
  return page.find((message) => message.tmpId === tmpId);
}

async function checkPulls(allSenders: readonly Sender[]): Promise<void> {
  for (const { me, others, groupId, journal } of allSenders) {
    const pull = groupId === undefined ? pullPrivate : pullGroup;
    const myRows = await pull(me);
    const ids = myRows.map((row) => row.id);
    for (const other of others) {
      const theirIds = (await pull(other)).map((row) => row.id);
      if (JSON.stringify(ids) !== JSON.stringify(theirIds)) {
        throw new Error(`${me.userName} and ${other.userName} have the messages in a different order`);
      }
    }
    if (ids.some((id, i, all) => i > 0 && id <= (all[i - 1] ?? 0)))
      throw new Error("the ids are not in ascending order");
    const byTmpId = new Map<string, Message>();
    for (const row of myRows.filter((row) => row.sendId === me.id && row.tmpId !== null)) {
      if (byTmpId.has(row.tmpId ?? "")) throw new Error(`two rows have the tmpId ${row.tmpId}`);
      byTmpId.set(row.tmpId ?? "", row);
    }
    for (const { tmpId, content, answer } of journal) {
      const row = byTmpId.get(tmpId);
      if (row === undefined) throw new Error(`${tmpId} was acknowledged and is lost`);
      if (row.id !== answer?.id || row.content !== content)
        throw new Error(`${tmpId} has another id or content than the acknowledged row`);
    }
    if (byTmpId.size !== journal.length)
      throw new Error(`rows in the store that no test person sent: ${byTmpId.size - journal.length}`);
  }
}

/** All rows of a person. A first pull is limited, so a long list is pulled as by a client that has the first row. */
async function pullPrivate(person: TestPerson): Promise<Message[]> {
  const first = await person.ok("loadPrivateMessages", { query: { minId: 0 } });
  return first.length < FIRST_PULL_PRIVATE_MAX
    ? first
    : person.ok("loadPrivateMessages", { query: { minId: 1 } });
}

async function pullGroup(person: TestPerson): Promise<Message[]> {
  const first = await person.ok("loadGroupMessages", { query: { minId: 0 } });
  return first.length < FIRST_PULL_GROUP_MAX
    ? first
    : person.ok("loadGroupMessages", { query: { minId: 1 } });
}

function checkFile(dataDir: string): void {
  const db = new Database(join(dataDir, "parley.sqlite"), { readonly: true });
  try {
    const answer: unknown = db.pragma("integrity_check", { simple: true });
    if (answer !== "ok") throw new Error(`integrity_check: ${String(answer)}`);
  } finally {
    db.close();
  }
}
