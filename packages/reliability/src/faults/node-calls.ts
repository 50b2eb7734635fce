/**
 * Fault K35 on real nodes: people call each other, two and in groups of four, through several nodes, which are killed one after the other while
 * it rings, while they come, talk, leave and hang up. The devices are real clients without microphones and connections. When it is quiet,
 * everybody in the call of a group is connected with everybody else in it. In the end nobody is in a call, no call is left in the database, each
 * between two people has left one record and each of a group two tips, and everybody can call again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { hasGroupCall } from "@parley/core/model/selectors";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { runSql, selectRows } from "@parley/server/testing/run-sql";
import { type TestPerson, befriend, makeGroup, registerPerson } from "@parley/server/testing/test-person";
import { createCallers } from "./callers.ts";
import { type ClientDevice, waitUntilIdle } from "./client-device.ts";
import { startNodeGroup } from "./node-group.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How many nodes and people, and how often a node is killed. */
export interface NodeCallsOptions {
  /** An empty folder. */
  dataDir: string;
  nodes: number;
  /** A multiple of 4. */
  clients: number;
  kills: number;
  /** By which factor the clients' timers run faster. */
  timerSpeed: number;
  seed: number;
  /** How long the last calls may take to end after everybody has hung up. Default: what the server waits for a silent client, and a margin. */
  endMaxMs?: number;
  /** A planted fault: the database forgets to take people out of their calls. */
  keepsPeopleInCalls?: boolean;
}

/** How often each person does something, on average. */
const ACT_EVERY_MS = 300;
/** Between two kills: long enough for a few calls. */
const BETWEEN_KILLS_MS = { min: 500, spread: 2_000 };
const END_MAX_MS = 90_000;
const RING_MAX_MS = 30_000;
/** How often the database is asked. */
const LOOK_EVERY_MS = 200;

/** Somebody with a client that can call. */
interface Caller {
  readonly device: ClientDevice;
  readonly friends: readonly TestPerson[];
  /** The group of the four. */
  readonly groupId: number;
}

/** Runs the battery K35 on nodes. */
export async function runNodeCalls(options: NodeCallsOptions): Promise<Report> {
  const { dataDir, nodes, clients, kills, seed, keepsPeopleInCalls = false } = options;
  const random = createPrng(seed);
  const violations: string[] = [];
  const seen = { ringing: 0, talking: 0, inGroups: 0 };
  let records: readonly CallCount[] = [];
  let groupCalls: readonly GroupCallCount[] = [];
  const group = await startNodeGroup({ dataDir, count: nodes });
  const database = group.postgres.url("postgres");
  try {
    await countCalls(database);
    if (keepsPeopleInCalls)
      await runSql(database, `create rule keep as on delete to "callMember" do instead nothing`);
    const callers = await startCallers(group.url, options);
    const acting = setInterval(() => act(random.pick(callers), random), ACT_EVERY_MS / clients);
    for (let kill = 0; kill < kills; kill++) {
      await sleep(BETWEEN_KILLS_MS.min + random.below(BETWEEN_KILLS_MS.spread));
      for (const { device } of callers) {
        const { call } = device.client.getState();
        if (call?.stage === "ringing" || call?.stage === "talking") seen[call.stage]++;
        if (call?.kind === "group" && call.stage === "talking") seen.inGroups++;
      }
      await group.replace(random.pick(group.nodes), "SIGKILL");
    }
    clearInterval(acting);
    const endMaxMs = options.endMaxMs ?? END_MAX_MS;
    await waitUntil(
      "everybody in the call of a group is connected with the others",
      () => findUnconnected(callers, database),
      endMaxMs,
    ).catch((error: Error) => void violations.push(error.message));
    await endAll(callers);
    await waitUntil("all calls have ended", () => findCalls(callers, database), endMaxMs);
    records = await callsByPair(database, RECORDS);
    violations.push(...compareCounts(await callsByPair(database, BEGUN), records));
    groupCalls = await countGroupCalls(database);
    violations.push(...compareTips(groupCalls));
    violations.push(...(await findLocked(callers)));
    for (const { device } of callers) device.stop();
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    await group.close();
  }
  const total = records.reduce((sum, { count }) => sum + Number(count), 0);
  const inGroups = groupCalls.reduce((sum, { begun }) => sum + Number(begun), 0);
  return {
    name: `K35 nodes killed during calls (seed ${seed})`,
    done: `${kills} kills of ${nodes} nodes, ${clients} clients, ${total} calls of two, ${inGroups} of groups; when a node was killed, ${seen.ringing} clients rang, ${seen.talking} talked, ${seen.inGroups} of them in groups`,
    violations,
  };
}

/** Friends in fours, and each four have a group. */
async function startCallers(
  url: string,
  { clients, timerSpeed }: Pick<NodeCallsOptions, "clients" | "timerSpeed">,
): Promise<Caller[]> {
  const callers = createCallers();
  const started: Caller[] = [];
  while (started.length < clients) {
    const people = await Promise.all(Array.from({ length: 4 }, () => registerPerson(url)));
    for (const [index, person] of people.entries())
      for (const friend of people.slice(index + 1)) await befriend(person, friend);
    const [owner, ...members] = people;
    if (owner === undefined) throw new Error("four people were registered");
    const groupId = await makeGroup(owner, members);
    for (const person of people) {
      const device = await callers.start(person, { timerSpeed });
      started.push({ device, groupId, friends: people.filter((friend) => friend !== person) });
    }
  }
  for (const { device } of started) await waitUntilIdle(device);
  return started;
}

/** What somebody may do who is called, calls or talks. */
const END_SHARE = 0.15;
const START_SHARE = 0.3;
const ACCEPT_SHARE = 0.6;
/** Of those who begin something. */
const GROUP_SHARE = 0.5;
const INVITE_SHARE = 0.1;

function act(caller: Caller, random: Prng): void {
  const { device, friends } = caller;
  const { calls, getState } = device.client;
  const stage = getState().call?.stage;
  if (stage === undefined) {
    if (!random.isTrueWithProbability(START_SHARE)) return;
    if (random.isTrueWithProbability(GROUP_SHARE)) startOrJoin(caller, random);
    else calls.start(random.pick(friends).id, random.pick(["voice", "video"] as const));
  } else if (stage === "ringing" && random.isTrueWithProbability(ACCEPT_SHARE)) calls.accept(false);
  else if (random.isTrueWithProbability(END_SHARE)) calls.end();
  else if (random.isTrueWithProbability(INVITE_SHARE)) calls.invite(friends.map(({ id }) => id));
}

/** Joins the call of the group if one is shown, as a person would; else calls two or three of the others. */
function startOrJoin({ device, friends, groupId }: Caller, random: Prng): void {
  const { calls, getState } = device.client;
  if (hasGroupCall(getState(), groupId)) return calls.joinGroup(groupId);
  const called = friends.slice(random.below(2)).map(({ id }) => id);
  calls.startGroup(groupId, called);
}

/** Everybody whom the server has in the call of a group sees the others in it as connected, and nobody else. */
async function findUnconnected(callers: readonly Caller[], database: string): Promise<string | undefined> {
  await sleep(LOOK_EVERY_MS);
  const rows = await selectRows<{ userId: string; callKey: string }>(
    database,
    `select "userId", "callKey" from "callMember" where "callKey" like 'g%' and "sessionId" is not null`,
  );
  for (const { userId, callKey } of rows) {
    const others = rows.filter((row) => row.callKey === callKey && row.userId !== userId);
    const expected = others.map((row) => Number(row.userId)).toSorted((a, b) => a - b);
    const call = callers
      .find(({ device }) => device.person.id === Number(userId))
      ?.device.client.getState().call;
    const people = call?.kind === "group" ? call.people : [];
    const connected = people
      .filter(({ connection }) => connection === "connected")
      .map((person) => person.userId)
      .toSorted((a, b) => a - b);
    if (expected.join() !== connected.join())
      return `${userId} is connected with ${connected.join() || "nobody"}, ${expected.join() || "nobody"} is in ${callKey}`;
  }
  return undefined;
}

/** How many calls of a group have begun, and what its tips say. */
interface GroupCallCount {
  groupId: string;
  begun: string;
  started: string;
  ended: string;
}

const countGroupCalls = (database: string): Promise<GroupCallCount[]> =>
  selectRows(
    database,
    `select "groupId", count(*) as begun,
       (select count(*) from message m where m."chatId" = b."groupId" and tip like '%group.callStarted%') as started,
       (select count(*) from message m where m."chatId" = b."groupId" and tip like '%group.callEnded%') as ended
     from begun_group_call b group by 1`,
  );

/** Each call of a group has one tip of its beginning and one of its end. */
function compareTips(counts: readonly GroupCallCount[]): string[] {
  return counts.flatMap(({ groupId, begun, started, ended }) =>
    begun === started && begun === ended
      ? []
      : [`${begun} calls of group ${groupId} have ${started} tips of a beginning and ${ended} of an end`],
  );
}

/** Counts the calls that begin; the rows of running calls are deleted at their ends. */
async function countCalls(database: string): Promise<void> {
  await runSql(
    database,
    `create table begun_call ("sendId" bigint, "recvId" bigint);
     create table begun_group_call ("groupId" bigint);
     create function count_call() returns trigger language plpgsql
       as 'begin
         if new."groupId" is null then insert into begun_call values (new."hostId", new."calleeId");
         else insert into begun_group_call values (new."groupId"); end if;
         return new;
       end';
     create trigger count_call after insert on call for each row execute function count_call()`,
  );
}

interface CallCount {
  sendId: string;
  recvId: string;
  count: string;
}

const BEGUN = "begun_call";
/** A record of a call to somebody who was busy is about no call that has begun. */
const RECORDS = `message where type in (40, 41) and act not like '%busy%'`;

const callsByPair = (database: string, from: string): Promise<CallCount[]> =>
  selectRows(database, `select "sendId", "recvId", count(*) from ${from} group by 1, 2`);

/** Each call between two people has exactly one record. */
function compareCounts(begun: readonly CallCount[], records: readonly CallCount[]): string[] {
  const keyOf = ({ sendId, recvId }: CallCount) => `from ${sendId} to ${recvId}`;
  const recorded = new Map(records.map((row) => [keyOf(row), row.count]));
  const begunByPair = new Map(begun.map((row) => [keyOf(row), row.count]));
  const pairs = new Set([...recorded.keys(), ...begunByPair.keys()]);
  return [...pairs].flatMap((pair) => {
    const [calls, count] = [begunByPair.get(pair) ?? "0", recorded.get(pair) ?? "0"];
    return calls === count ? [] : [`${calls} calls ${pair} have ${count} records`];
  });
}

/** Everybody hangs up, also calls that begin to ring in this time. */
async function endAll(callers: readonly Caller[]): Promise<void> {
  await waitUntil(
    "everybody has hung up",
    () => {
      const inCall = callers.filter(({ device }) => device.client.getState().call !== null);
      for (const { device } of inCall) device.client.calls.end();
      return inCall.length === 0 ? undefined : `${inCall.length} people are in a call`;
    },
    RING_MAX_MS,
  );
}

/** What is left of calls, at the clients and in the database. */
async function findCalls(callers: readonly Caller[], database: string): Promise<string | undefined> {
  for (const { device } of callers) if (device.client.getState().call !== null) device.client.calls.end();
  const shown = callers.filter(({ device }) => device.client.getState().call !== null).length;
  await sleep(LOOK_EVERY_MS);
  const [rows] = await selectRows<{ calls: string; people: string }>(
    database,
    `select (select count(*) from call) as calls, (select count(*) from "callMember") as people`,
  );
  const left = [shown, Number(rows?.calls), Number(rows?.people)];
  return left.every((count) => count === 0)
    ? undefined
    : `${left[0]} clients show a call, ${left[1]} calls and ${left[2]} people in calls are stored`;
}

/** Each person calls a friend, where it must ring. */
async function findLocked(callers: readonly Caller[]): Promise<string[]> {
  const problems: string[] = [];
  const stageOf = ({ device }: Caller) => device.client.getState().call?.stage;
  for (const caller of callers) {
    const friend = callers.find(({ device }) => device.person === caller.friends[0]);
    if (friend === undefined) continue;
    const { calls } = caller.device.client;
    await waitUntil(
      `it rings where ${caller.device.person.userName} calls`,
      () => {
        if (stageOf(caller) === undefined) calls.start(friend.device.person.id, "voice");
        return stageOf(friend) === "ringing" ? undefined : `the stage is ${stageOf(friend)}`;
      },
      RING_MAX_MS,
    ).catch((error: Error) => void problems.push(error.message));
    calls.end();
    await waitUntil("the call ends", () =>
      stageOf(caller) === undefined && stageOf(friend) === undefined ? undefined : "it goes on",
    ).catch((error: Error) => void problems.push(error.message));
  }
  return problems;
}
