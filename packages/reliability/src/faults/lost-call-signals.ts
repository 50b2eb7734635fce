/**
 * Fault K35, signals: the node of some clients is killed, and until they have logged in on another one, the other side of their calls accepts,
 * rejects, cancels, hangs up, joins and leaves. No node knows of the dead sockets, so these signals are lost. Everybody must get where they
 * would be without it, by themselves.
 */
import type { Client } from "@parley/core/client-api";
import { type TestPerson, befriend, makeGroup, registerPerson } from "@parley/server/testing/test-person";
import { type Balancer, startBalancer } from "./balancer.ts";
import { createCallers } from "./callers.ts";
import { type ClientDevice, waitUntilIdle } from "./client-device.ts";
import { startNodeGroup } from "./node-group.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** A call of somebody whose node dies. */
interface Case {
  readonly name: string;
  /** Before the death. */
  begin(): Promise<void>;
  /** While the clients of the dead node have no socket. */
  meanwhile(): Promise<void>;
  /** What is still missing when they have one again. */
  missing(): string | undefined;
}

const stageOf = ({ client }: ClientDevice) => client.getState().call?.stage ?? "none";
const callsOf = ({ client }: { client: Client }) => client.calls;

function reach(stage: string, ...devices: ClientDevice[]): Promise<void> {
  return waitUntil(`they are ${stage}`, () => {
    const stages = devices.map(stageOf);
    return stages.every((each) => each === stage) ? undefined : `they are ${stages.join()}`;
  });
}

const expectStage = (stage: string, ...devices: ClientDevice[]) => {
  const stages = devices.map(stageOf);
  return stages.every((each) => each === stage) ? undefined : `they are ${stages.join()}`;
};

/** With whom a client is connected in the call of a group, by user ids in order. */
function connectedWith({ client }: ClientDevice): string {
  const { call } = client.getState();
  if (call?.kind !== "group") return "no call";
  return call.people
    .filter(({ connection }) => connection === "connected")
    .map(({ userId }) => userId)
    .toSorted((a, b) => a - b)
    .join();
}

const idsOf = (...devices: ClientDevice[]) =>
  devices
    .map(({ person }) => person.id)
    .toSorted((a, b) => a - b)
    .join();

/** Lets one node die once, in the middle of all these calls. */
export async function loseCallSignals(dataDir: string): Promise<Report> {
  const violations: string[] = [];
  const group = await startNodeGroup({ dataDir, count: 2 });
  const way = await startBalancer();
  let count = 0;
  try {
    const [dying, other] = group.nodes;
    if (dying === undefined || other === undefined) throw new Error("two nodes were started");
    way.setTargets([dying.process.url]);
    const cases = await prepareCases(other.process.url, way);
    count = cases.length;
    for (const each of cases) await each.begin();
    dying.process.kill("SIGKILL");
    await dying.process.exited;
    way.setTargets([]);
    for (const each of cases) await each.meanwhile();
    way.setTargets([other.process.url]);
    for (const { name, missing } of cases)
      await waitUntil(name, missing).catch((error: Error) => void violations.push(error.message));
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    await way.close();
    await group.close();
  }
  return { name: "K35 signals of calls to a node that has died", done: `${count} calls`, violations };
}

/** Makes a client for each person; timers run at their own speed, because the server ends what rings for 30 s. */
async function prepareCases(url: string, way: Balancer): Promise<Case[]> {
  const callers = createCallers();
  const devices: ClientDevice[] = [];
  const start = async (isVictim: boolean, person?: TestPerson) => {
    const device = await callers.start(person ?? (await registerPerson(url)), {
      timerSpeed: 1,
      ...(isVictim && { url: way.url }),
    });
    devices.push(device);
    return device;
  };
  /** Somebody whose node dies, and a friend on the other node. */
  const pair = async () => {
    const [victim, friend] = [await start(true), await start(false)];
    await befriend(victim.person, friend.person);
    return { victim, friend };
  };
  const cases = [
    acceptIsLost(await pair()),
    ...[await pair(), await pair()].map((two, index) => endOfRingIsLost(two, index === 0)),
    pressedMeanwhile(await pair()),
    hangUpIsLost(await pair()),
    ...(await groupCases(start)),
  ];
  for (const device of devices) await waitUntilIdle(device);
  return cases;
}

interface Pair {
  victim: ClientDevice;
  friend: ClientDevice;
}

async function ring(from: ClientDevice, to: ClientDevice): Promise<void> {
  callsOf(from).start(to.person.id, "voice");
  await reach("ringing", to);
}

const acceptIsLost = ({ victim, friend }: Pair): Case => ({
  name: "a caller who has missed the accept and the answer talks",
  begin: () => ring(victim, friend),
  async meanwhile() {
    callsOf(friend).accept(false);
    await reach("connecting", friend);
  },
  missing: () => expectStage("talking", victim, friend),
});

const endOfRingIsLost = ({ victim, friend }: Pair, isCaller: boolean): Case => ({
  name: isCaller ? "a caller who was rejected calls no longer" : "it rings no longer for who was cancelled",
  begin: () => (isCaller ? ring(victim, friend) : ring(friend, victim)),
  async meanwhile() {
    callsOf(friend).end();
    await waitUntil("the end is stored", () =>
      friend.requests.some(({ path, status }) => /reject|cancel/.test(path) && status !== null)
        ? undefined
        : "it was not answered",
    );
  },
  missing: () => expectStage("none", victim, friend),
});

const pressedMeanwhile = ({ victim, friend }: Pair): Case => ({
  name: "who accepts while the node is dead talks",
  begin: () => ring(friend, victim),
  meanwhile: async () => callsOf(victim).accept(false),
  missing: () => expectStage("talking", victim, friend),
});

const hangUpIsLost = ({ victim, friend }: Pair): Case => ({
  name: "who was hung up on is in no call",
  async begin() {
    await ring(victim, friend);
    callsOf(friend).accept(false);
    await reach("talking", victim, friend);
  },
  async meanwhile() {
    callsOf(friend).end();
    await waitUntil("the hang-up is stored", () =>
      friend.requests.some(({ path, status }) => path.endsWith("/handup") && status !== null)
        ? undefined
        : "it was not answered",
    );
  },
  missing: () => expectStage("none", victim, friend),
});

/** A host who misses that somebody comes, and somebody who misses that one leaves and another one joins. */
async function groupCases(start: (isVictim: boolean) => Promise<ClientDevice>): Promise<Case[]> {
  const [host, guest] = [await start(true), await start(false)];
  const hosted = await makeGroup(host.person, [guest.person]);
  const [victim, stays, leaves, joins] = [
    await start(true),
    await start(false),
    await start(false),
    await start(false),
  ];
  const others = [stays, leaves, joins];
  const groupId = await makeGroup(
    victim.person,
    others.map(({ person }) => person),
  );
  return [
    {
      name: "a host who has missed that somebody came talks",
      async begin() {
        callsOf(host).startGroup(hosted, [guest.person.id]);
        await reach("ringing", guest);
      },
      async meanwhile() {
        callsOf(guest).accept(false);
        await waitUntil("the accept is stored", () =>
          guest.requests.some(({ path, status }) => path.endsWith("/group/accept") && status !== null)
            ? undefined
            : "it was not answered",
        );
      },
      missing: () =>
        connectedWith(host) === idsOf(guest) && connectedWith(guest) === idsOf(host)
          ? undefined
          : `they see ${connectedWith(host)} and ${connectedWith(guest)}`,
    },
    {
      name: "who has missed a leave and a join is connected with those who are there",
      async begin() {
        callsOf(stays).startGroup(groupId, [victim.person.id, leaves.person.id]);
        await reach("ringing", victim, leaves);
        for (const device of [victim, leaves]) callsOf(device).accept(false);
        await waitUntil("three talk", () =>
          connectedWith(victim) === idsOf(stays, leaves) ? undefined : connectedWith(victim),
        );
      },
      async meanwhile() {
        callsOf(leaves).end();
        callsOf(joins).joinGroup(groupId);
        await waitUntil("it has changed for the others", () =>
          connectedWith(stays) === idsOf(victim, joins) ? undefined : connectedWith(stays),
        );
      },
      missing: () =>
        connectedWith(victim) === idsOf(stays, joins) && connectedWith(joins) === idsOf(stays, victim)
          ? undefined
          : `they see ${connectedWith(victim)} and ${connectedWith(joins)}`,
    },
  ];
}
