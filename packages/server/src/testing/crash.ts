/**
 * Fault K1: the real server under concurrent senders, killed at random moments and started again on the same folder. Throws at the
 * first promise that is broken.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { PrivateMessage } from "@parley/protocol/message";
import { type Person, Person as PersonOf, join as register, befriend } from "./people.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

export interface CrashOptions {
  dataDir: string;
  cycles: number;
  senders: number;
  seed: number;
}

export interface CrashReport {
  kills: number;
  acknowledged: number;
  /** Sends whose answer a kill took, and that were stored all the same. */
  storedUnanswered: number;
  /** Median time of a start after a kill. */
  startMs: number;
}

interface Sent {
  tmpId: string;
  content: string;
  answer: PrivateMessage | undefined;
}

interface Talker {
  me: Person;
  friend: Person;
  journal: Sent[];
}

export async function runCrash({ dataDir, cycles, senders, seed }: CrashOptions): Promise<CrashReport> {
  const random = createRandom(seed);
  const env = { DATA_DIR: dataDir, RATE_LIMITS: "off" };
  const report: CrashReport = { kills: 0, acknowledged: 0, storedUnanswered: 0, startMs: 0 };
  const starts: number[] = [];
  let server = await startServer(env);
  let talkers = await makeTalkers(server.url, senders);

  for (let cycle = 0; cycle < cycles; cycle++) {
    const killed = killAfter(server, 20 + random() * 280);
    await Promise.all(talkers.map((talker) => sendUntilCut(talker)));
    await killed;
    report.kills++;
    const started = performance.now();
    server = await startServer(env);
    starts.push(performance.now() - started);
    talkers = talkers.map((talker) => moveTo(server.url, talker));
    await checkRetries(talkers, report);
  }

  await checkPulls(talkers);
  report.startMs = starts.sort((a, b) => a - b)[starts.length >> 1] ?? 0;
  report.acknowledged = talkers.flatMap((talker) => talker.journal).length;
  server.kill("SIGTERM");
  const code = await server.exited;
  if (code !== 0) throw new Error(`SIGTERM ended with ${code}: ${server.output()}`);
  checkFile(dataDir);
  return report;
}

/** Pairs of friends, each sending to the other. */
async function makeTalkers(url: string, senders: number): Promise<Talker[]> {
  const talkers: Talker[] = [];
  for (let i = 0; i < senders; i += 2) {
    const [a, b] = [await register(url), await register(url)];
    await befriend(a, b);
    talkers.push({ me: a, friend: b, journal: [] }, { me: b, friend: a, journal: [] });
  }
  return talkers;
}

function moveTo(url: string, { me, friend, journal }: Talker): Talker {
  const moved = (person: Person) =>
    new PersonOf(url, person.id, person.userName, person.tokens, person.device);
  return { me: moved(me), friend: moved(friend), journal };
}

async function killAfter(server: ServerProcess, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  server.kill("SIGKILL");
  await server.exited;
}

/** One after the other, until the server is gone. What was under way stays in the journal without an answer. */
async function sendUntilCut(talker: Talker): Promise<void> {
  for (;;) {
    const n = talker.journal.length;
    const sent: Sent = { tmpId: `${talker.me.id}-${n}`, content: `message ${n}`, answer: undefined };
    talker.journal.push(sent);
    try {
      sent.answer = await send(talker, sent);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return;
    }
  }
}

async function send({ me, friend }: Talker, { tmpId, content }: Sent): Promise<PrivateMessage> {
  const { envelope } = await me.call("sendPrivateMessage", {
    body: { recvId: friend.id, type: 0, content, tmpId },
  });
  if (envelope.code !== 200) throw new Refused(JSON.stringify(envelope));
  return envelope.data;
}

/** An answer that came, and said no. */
class Refused extends Error {}

/** The last send of each talker, answered or not, gives one row under its tmpId, and the same one again. */
async function checkRetries(talkers: readonly Talker[], report: CrashReport): Promise<void> {
  for (const talker of talkers) {
    const { journal } = talker;
    for (const sent of journal.slice(-2)) {
      const before = sent.answer;
      const known = before ?? (await findByTmpId(talker, sent.tmpId));
      if (before === undefined && known !== undefined) report.storedUnanswered++;
      const [first, second] = [await send(talker, sent), await send(talker, sent)];
      for (const answer of [first, second]) {
        const expected = known ?? first;
        if (answer.id !== expected.id || answer.sendTime !== expected.sendTime) {
          throw new Error(`the retry of ${sent.tmpId} answered ${answer.id} instead of ${expected.id}`);
        }
      }
      sent.answer = first;
    }
  }
}

async function findByTmpId({ me, friend }: Talker, tmpId: string): Promise<PrivateMessage | undefined> {
  const page = await me.ok("privateHistory", { query: { friendId: friend.id, size: 20 } });
  return page.find((message) => message.tmpId === tmpId);
}

async function checkPulls(talkers: readonly Talker[]): Promise<void> {
  for (const { me, friend, journal } of talkers) {
    const mine = await pullAll(me);
    const theirs = await pullAll(friend);
    const sequences = [mine, theirs].map((rows) => rows.map((row) => row.id));
    if (JSON.stringify(sequences[0]) !== JSON.stringify(sequences[1])) {
      throw new Error(`${me.userName} and ${friend.userName} do not see the same order`);
    }
    if (sequences[0]?.some((id, i, all) => i > 0 && id <= (all[i - 1] ?? 0)))
      throw new Error("ids do not ascend");
    const byTmpId = new Map<string, PrivateMessage>();
    for (const row of mine.filter((row) => row.sendId === me.id && row.tmpId !== null)) {
      if (byTmpId.has(row.tmpId ?? "")) throw new Error(`two rows for ${row.tmpId}`);
      byTmpId.set(row.tmpId ?? "", row);
    }
    for (const { tmpId, content, answer } of journal) {
      const row = byTmpId.get(tmpId);
      if (row === undefined) throw new Error(`${tmpId} was acknowledged and is lost`);
      if (row.id !== answer?.id || row.content !== content) throw new Error(`${tmpId} is another row now`);
    }
    if (byTmpId.size !== journal.length)
      throw new Error(`rows that nobody sent: ${byTmpId.size - journal.length}`);
  }
}

/** All rows of a person, however many: beyond the bound of a first pull by the pull of a client that has the first row. */
async function pullAll(person: Person): Promise<PrivateMessage[]> {
  const first = await person.ok("loadPrivateMessages", { query: { minId: 0 } });
  return first.length < 10_000 ? first : person.ok("loadPrivateMessages", { query: { minId: 1 } });
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

/** Mulberry32: the same numbers from the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
