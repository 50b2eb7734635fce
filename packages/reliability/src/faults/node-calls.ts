/**
 * Fault K35 on real nodes: people call each other through several nodes, which are killed one after the other while it rings, while they talk
 * and while they hang up. The devices are real clients without microphones and connections. In the end nobody is in a call, no call is left in
 * the database, each has left one record, and everybody can call again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createCallService } from "@parley/core/calls/call-service";
import type { SignedInClientOptions } from "@parley/core/signed-in-client";
import { type FakeCallPorts, createFakeCallPorts } from "@parley/core/testing/fake-call-ports";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { runSql, selectRows } from "@parley/server/testing/run-sql";
import { type TestPerson, befriend, registerPerson } from "@parley/server/testing/test-person";
import { type ClientDevice, startDevice, waitUntilIdle } from "./client-device.ts";
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
  /** What the client would use of a browser. */
  readonly callPorts: () => FakeCallPorts | undefined;
  friends: readonly TestPerson[];
}

/** Runs the battery K35 on nodes. */
export async function runNodeCalls(options: NodeCallsOptions): Promise<Report> {
  const { dataDir, nodes, clients, kills, seed, keepsPeopleInCalls = false } = options;
  const random = createPrng(seed);
  const violations: string[] = [];
  const seen = { ringing: 0, talking: 0 };
  let records: readonly CallCount[] = [];
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
        const stage = device.client.getState().call?.stage;
        if (stage === "ringing" || stage === "talking") seen[stage]++;
      }
      await group.replace(random.pick(group.nodes), "SIGKILL");
    }
    clearInterval(acting);
    await endAll(callers);
    const endMaxMs = options.endMaxMs ?? END_MAX_MS;
    await waitUntil("all calls have ended", () => findCalls(callers, database), endMaxMs);
    records = await callsByPair(database, RECORDS);
    violations.push(...compareCounts(await callsByPair(database, BEGUN), records));
    violations.push(...(await findLocked(callers)));
    for (const { device } of callers) device.stop();
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    await group.close();
  }
  const total = records.reduce((sum, { count }) => sum + Number(count), 0);
  return {
    name: `K35 nodes killed during calls (seed ${seed})`,
    done: `${kills} kills of ${nodes} nodes, ${clients} clients, ${total} calls; ${seen.ringing} clients rang and ${seen.talking} talked when a node was killed`,
    violations,
  };
}

/** People in groups of four friends. */
async function startCallers(
  url: string,
  { clients, timerSpeed }: Pick<NodeCallsOptions, "clients" | "timerSpeed">,
): Promise<Caller[]> {
  const callers: Caller[] = [];
  const portsOf = (userId: number) => callers.find(({ device }) => device.person.id === userId)?.callPorts();
  while (callers.length < clients) {
    const people = await Promise.all(Array.from({ length: 4 }, () => registerPerson(url)));
    for (const [index, person] of people.entries())
      for (const friend of people.slice(index + 1)) await befriend(person, friend);
    for (const person of people) {
      let callPorts: FakeCallPorts | undefined;
      const loadCalls: NonNullable<SignedInClientOptions["loadCalls"]> = async () => (deps) => {
        callPorts = withoutNetwork(createFakeCallPorts(deps.ports.clock), () => {
          const call = device.client.getState().call;
          return call?.kind === "private" ? portsOf(call.userId) : undefined;
        });
        return createCallService(deps, callPorts);
      };
      const device = await startDevice(person, {
        name: `caller ${person.userName}`,
        timerSpeed,
        sizes: { loadCalls },
      });
      const friends = people.filter((friend) => friend !== person);
      callers.push({ device, callPorts: () => callPorts, friends });
    }
  }
  for (const { device } of callers) await waitUntilIdle(device);
  return callers;
}

/** Connections are there as soon as the answer has come to the one who called: at both ends. */
function withoutNetwork(own: FakeCallPorts, findOther: () => FakeCallPorts | undefined): FakeCallPorts {
  return {
    ...own,
    peers: {
      create(handlers) {
        const connection = own.peers.create(handlers);
        const { takeDescription } = connection;
        connection.takeDescription = async (description) => {
          const answer = await takeDescription(description);
          if (description.type === "answer")
            for (const ports of [own, findOther()]) {
              const last = ports?.connections.at(-1);
              if (last?.isClosed === false) setImmediate(() => last.change("connected"));
            }
          return answer;
        };
        return connection;
      },
    },
  };
}

/** What somebody may do who is called, calls or talks. */
const END_SHARE = 0.15;
const START_SHARE = 0.3;
const ACCEPT_SHARE = 0.6;

function act({ device, friends }: Caller, random: Prng): void {
  const { calls, getState } = device.client;
  const stage = getState().call?.stage;
  if (stage === undefined) {
    if (random.isTrueWithProbability(START_SHARE))
      calls.start(random.pick(friends).id, random.pick(["voice", "video"] as const));
  } else if (stage === "ringing" && random.isTrueWithProbability(ACCEPT_SHARE)) calls.accept(false);
  else if (random.isTrueWithProbability(END_SHARE)) calls.end();
}

/** Counts the calls that begin; the rows of running calls are deleted at their ends. */
async function countCalls(database: string): Promise<void> {
  await runSql(
    database,
    `create table begun_call ("sendId" bigint, "recvId" bigint);
     create function count_call() returns trigger language plpgsql
       as 'begin insert into begun_call values (new."hostId", new."calleeId"); return new; end';
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
const RECORDS = `"privateMessage" where type in (40, 41) and act not like '%busy%'`;

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

/** Everybody hangs up, also what begins to ring meanwhile. */
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
