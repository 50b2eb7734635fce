/** One simulated world: people with two devices each, two nodes that share a store and a bus, and between them a network that is moved by hand. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { type Device, createDevice } from "@parley/core/testing/device";
import { type FakeClock, createFakeClock } from "@parley/core/testing/fake-clock";
import type { HttpExchange } from "@parley/core/testing/fake-http";
import type { FakeSocket } from "@parley/core/testing/fake-sockets";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import type { OpenedStore } from "../../adapters/store/open-store.ts";
import { openConnection } from "../../adapters/store/sqlite-connection.ts";
import type { Tokens } from "../../modules/account/tokens.ts";
import type { AnsweredRequest } from "./answer-request.ts";
import type { PlantedBug } from "./planted-bugs.ts";
import { type StoreDelays, createDelayedStore } from "./delayed-store.ts";
import { type SimulatedBus, type NodeBus, createSimulatedBus } from "./simulated-bus.ts";
import type { SimulatedSocket } from "./simulated-socket.ts";
import { type NodeApp, createNodeApp } from "./node-app.ts";
import { createFakePresence, createFakeTokens, fakePasswordHasher } from "./fakes.ts";
import { GROUP_IDS, START, copyStoreTemplate, openStoreIn } from "./store-template.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly steps: number;
  /** Steps that are left out: what a failure does not need. */
  readonly skip?: ReadonlySet<number>;
  readonly bug?: PlantedBug;
}

/** What a run must have met at least once, over all seeds. */
export const COVERAGE_GOALS = [
  "pull overlapped push",
  "retry hit existing tmpId",
  "gap held a cursor",
  "two devices read concurrently",
  "kick during send",
  "recall of a quoted message",
  "edit after recall",
  "reconnect within one commit",
] as const;
export type CoverageGoal = (typeof COVERAGE_GOALS)[number];

export interface SimulatedNode {
  readonly index: number;
  readonly app: NodeApp;
  readonly bus: NodeBus;
  isDead: boolean;
  /** How far its clock is off the other's. */
  skew: number;
  /** Events for it are being lost; when that ends, its sockets are closed. */
  /** Since when. */
  disconnectedSince: number | null;
}

/** A send that was answered with success. */
export interface Ack {
  readonly isGroup: boolean;
  readonly id: number;
  readonly sendId: number;
  readonly target: number;
  readonly content: string;
}

export interface SimulatedPerson {
  readonly id: number;
  readonly userName: string;
}

export interface SimulatedDevice extends Device {
  readonly userId: number;
  /** The node that its requests and sockets go to. */
  node: number;
  /** Its tab was killed and is not open again. */
  isDown: boolean;
  /** What was handed to this device since its storage was new, by kind. */
  received: { PRIVATE: Set<number>; GROUP: Set<number> };
  /** Something came to it, or was done with it, since the last look. */
  isTouched: boolean;
}

export interface Simulation {
  readonly options: SimulationOptions;
  random: Prng;
  readonly clock: FakeClock;
  readonly store: OpenedStore;
  /** Reads what is committed, past the store's own ways of asking. */
  readonly probe: Database.Database;
  readonly nodes: (SimulatedNode | null)[];
  readonly bus: SimulatedBus;
  readonly delays: StoreDelays;
  readonly people: readonly SimulatedPerson[];
  readonly devices: SimulatedDevice[];
  readonly sockets: Map<FakeSocket, { simulatedSocket: SimulatedSocket; node: SimulatedNode }>;
  readonly requests: Map<HttpExchange, SimulatedNode>;
  /** How often the store's answers wait; 0: never. */
  delayRate: number;
  readonly problems: string[];
  readonly coverage: Record<CoverageGoal, number>;
  readonly acknowledged: Ack[];
  texts: number;
  /** How far the clocks of the nodes are off that of the clients. */
  skew: number;
  /** Something was committed, or came to a client, since the last look. */
  isChanged: boolean;
  /** Fingerprint of all that was pushed and answered: the same seed gives the same. */
  trace: number;
  /** Carries it out in a later turn; the world does not come to rest before. */
  runLater(work: () => Promise<unknown>): Promise<void>;
  startNode(index: number): void;
  killNode(index: number): void;
  onWritten(): void;
  onEdit(text: string): void;
  onPush(device: SimulatedDevice, wire: FakeSocket, text: string): void;
  onAnswer(device: SimulatedDevice, answered: AnsweredRequest): void;
  close(): Promise<void>;
}

/** Two devices of a person. */
const NAMES = ["a", "b"];
const NODES = 2;

export async function createSimulation(options: SimulationOptions, template: string): Promise<Simulation> {
  const random = createPrng(options.seed);
  const clock = createFakeClock(START);
  const problems: string[] = [];
  const onError = (error: unknown) => {
    const known = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error);
    problems.push(`a node failed: ${known}`);
  };
  const folder = await copyStoreTemplate(template);
  const store = await openStoreIn(folder, onError);
  const delays: StoreDelays = {
    delayed: [],
    inFlight: 0,
    activity: 0,
    now: clock.now,
    onWritten: () => simulation.onWritten(),
    shouldDelay: () => simulation.random.isTrueWithProbability(simulation.delayRate),
  };
  const bus = createSimulatedBus(clock.now, () => void delays.activity++, onError);
  const presence = createFakePresence();
  const tokens = createFakeTokens();
  const people = Array.from({ length: 3 + random.below(3) }, (_, i) => ({
    id: i + 1,
    userName: `user${i + 1}`,
  }));
  const probe = openConnection(join(folder, "parley.sqlite"));

  const simulation: Simulation = {
    options,
    random,
    clock,
    store,
    probe,
    nodes: [],
    bus,
    delays,
    people,
    devices: [],
    sockets: new Map(),
    requests: new Map(),
    delayRate: random.pick([0, 0.05, 0.15]),
    problems,
    coverage: Object.fromEntries(COVERAGE_GOALS.map((name) => [name, 0])) as Record<CoverageGoal, number>,
    acknowledged: [],
    texts: 0,
    skew: 0,
    isChanged: true,
    trace: 0,
    onWritten: () => undefined,
    onEdit: () => undefined,
    onPush: () => undefined,
    onAnswer: () => undefined,
    async runLater(work) {
      delays.inFlight++;
      await new Promise((resolve) => setImmediate(resolve));
      try {
        await work();
      } finally {
        delays.inFlight--;
        delays.activity++;
      }
    },
    startNode(index) {
      simulation.nodes[index] = startNode(simulation, index, presence.of(index), tokens, onError);
    },
    killNode(index) {
      const node = simulation.nodes[index];
      if (!node) return;
      node.isDead = true;
      simulation.nodes[index] = null;
      bus.leave(index);
      presence.leave(index);
      // It may have died between a commit and telling that others remember something old.
      for (const other of simulation.nodes) {
        // What it had committed and told nobody is nowhere but in the store: the others make their clients pull.
        if (other) other.disconnectedSince ??= clock.now();
        other?.bus.receive({ kind: "stale", userIds: people.map(({ id }) => id) });
        for (const groupId of GROUP_IDS) other?.bus.receive({ kind: "staleGroup", groupId });
      }
      for (const { simulatedSocket, node: other } of simulation.sockets.values())
        if (other === node) simulatedSocket.cut();
    },
    async close() {
      for (const device of simulation.devices) device.stop();
      for (let index = 0; index < NODES; index++) simulation.killNode(index);
      for (const { release } of delays.delayed) release();
      probe.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let index = 0; index < NODES; index++) simulation.startNode(index);
  for (const person of people) for (const name of NAMES) addDevice(simulation, person, name);
  return simulation;
}

function startNode(
  simulation: Simulation,
  index: number,
  presence: ReturnType<ReturnType<typeof createFakePresence>["of"]>,
  tokens: Tokens,
  onError: (error: unknown) => void,
): SimulatedNode {
  const { bug } = simulation.options;
  const bus = simulation.bus.join(index);
  const isDead = () => node.isDead;
  const gated = createDelayedStore(
    bug?.store?.(simulation.store, simulation) ?? simulation.store,
    simulation.delays,
    isDead,
  );
  const parts = {
    store: gated,
    bus: bug?.bus?.(bus, simulation) ?? bus,
    presence,
    tokens,
    passwordHasher: fakePasswordHasher,
    now: () => simulation.clock.now() + simulation.skew + node.skew,
    onError: (error: unknown) => {
      if (!node.isDead) onError(error);
    },
  };
  const node: SimulatedNode = {
    index,
    bus,
    // The clock is not asked before the node is there.
    app: createNodeApp(parts),
    isDead: false,
    skew: 0,
    disconnectedSince: null,
  };
  return node;
}

export function addDevice(simulation: Simulation, person: SimulatedPerson, name: string): SimulatedDevice {
  const { clock, sockets } = simulation;
  const plain = createDevice({
    clock,
    server: {
      connectionLost(wire) {
        sockets.get(wire)?.simulatedSocket.cut();
        sockets.delete(wire);
      },
    },
    name: `${person.userName}${name}`,
    userName: person.userName,
    losesMessages: simulation.options.bug?.losesMessages ?? false,
  });
  const device = Object.assign(plain, {
    userId: person.id,
    node: simulation.random.below(NODES),
    isDown: false,
    received: { PRIVATE: new Set<number>(), GROUP: new Set<number>() },
    isTouched: true,
  });
  simulation.devices.push(device);
  return device;
}

/** The node that serves this device; it moves to another one only when its own is dead. */
export function nodeOf(simulation: Simulation, device: SimulatedDevice): SimulatedNode | null {
  const own = simulation.nodes[device.node];
  if (own) return own;
  const other = simulation.nodes.find((node) => node !== null);
  if (other) device.node = other.index;
  return other ?? null;
}
