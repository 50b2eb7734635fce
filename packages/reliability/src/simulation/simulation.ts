/** One simulation: people with two devices each, two nodes that share a store and a bus, and a network that delivers only by explicit moves. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { type Device, createDevice } from "@parley/core/testing/device";
import { type FakeClock, createFakeClock } from "@parley/core/testing/fake-clock";
import type { HttpExchange } from "@parley/core/testing/fake-http";
import type { FakeSocket } from "@parley/core/testing/fake-sockets";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import type { OpenedStore } from "@parley/server/adapters/store/open-store";
import { openConnection } from "@parley/server/adapters/store/sqlite-connection";
import type { Tokens } from "@parley/server/modules/account/tokens";
import type { AnsweredRequest } from "./answer-request.ts";
import type { PlantedBug } from "./planted-bugs.ts";
import { type StoreDelays, createDelayedStore } from "./delayed-store.ts";
import { type SimulatedBus, type NodeBus, createSimulatedBus } from "./simulated-bus.ts";
import { createMemoryBlobs, type MemoryBlobs } from "./simulated-files.ts";
import type { SimulatedSocket } from "./simulated-socket.ts";
import { type NodeApp, createNodeApp } from "./node-app.ts";
import { createFakePresence, createFakeTokens, fakePasswordHasher } from "./fakes.ts";
import { GROUP_IDS, START, copyStoreTemplate, openStoreIn } from "./store-template.ts";

/** What to simulate. */
export interface SimulationOptions {
  readonly seed: number;
  readonly steps: number;
  /** Steps to leave out, to repeat a shrunk failure. */
  readonly skip?: ReadonlySet<number>;
  readonly bug?: PlantedBug;
  /** People also send files, cancel, repeat and recall them. A seed means another run then. */
  readonly hasFiles?: boolean;
  /** People also react to messages and take it back, and pin them. A seed means another run then. */
  readonly hasReactions?: boolean;
}

/** The situations that must occur at least once over all seeds. */
export const COVERAGE_GOALS = [
  "a pull overlapped a push",
  "a retry found an existing tmpId",
  "a gap held a cursor",
  "two devices read at the same time",
  "a kick during a send",
  "a recall of a quoted message",
  "an edit after a recall",
  "a reconnect within one commit",
] as const;
/** One of these situations. */
export type CoverageGoal = (typeof COVERAGE_GOALS)[number];

/** A running node. */
export interface SimulatedNode {
  readonly index: number;
  readonly app: NodeApp;
  readonly bus: NodeBus;
  isDead: boolean;
  /** How far its clock differs from the simulation's, in ms. */
  skew: number;
  /** Since when it loses bus events, or null. When it reconnects to the bus, its sockets are closed. */
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

/** A person. */
export interface SimulatedPerson {
  readonly id: number;
  readonly userName: string;
}

/** A device of a person, with the client core of the product. */
export interface SimulatedDevice extends Device {
  readonly userId: number;
  /** The node that its requests and sockets go to. */
  node: number;
  /** Whether its tab was killed and not opened again. */
  isDown: boolean;
  /** The ids of all messages that it has received since its storage was empty. */
  received: { PRIVATE: Set<number>; GROUP: Set<number> };
  /** Whether anything happened to it since the last check. */
  isTouched: boolean;
}

/** The state of a simulation. */
export interface Simulation {
  readonly options: SimulationOptions;
  random: Prng;
  readonly clock: FakeClock;
  readonly store: OpenedStore;
  /** A direct connection to the database, to read what is committed without the store. */
  readonly rawDb: Database.Database;
  readonly nodes: (SimulatedNode | null)[];
  readonly bus: SimulatedBus;
  readonly delays: StoreDelays;
  /** The storage of uploaded files; null if nobody sends files. */
  readonly blobs: MemoryBlobs | null;
  readonly people: readonly SimulatedPerson[];
  readonly devices: SimulatedDevice[];
  readonly sockets: Map<FakeSocket, { socket: SimulatedSocket; node: SimulatedNode }>;
  readonly requests: Map<HttpExchange, SimulatedNode>;
  /** The probability that a result of the store is delayed. */
  delayRate: number;
  readonly problems: string[];
  readonly coverage: Record<CoverageGoal, number>;
  readonly acknowledged: Ack[];
  /** How many reactions and pins were made or taken back. */
  reactions: number;
  /** How many texts were written, to number them. */
  texts: number;
  /** How far the clocks of the nodes differ from that of the clients, in ms. */
  skew: number;
  /** Whether anything was committed or delivered since the last check. */
  isChanged: boolean;
  /** A fingerprint of all pushes and answers, equal for the same seed. */
  trace: number;
  /** Does the work in a later turn. The simulation is not idle before it is done. */
  runLater(work: () => Promise<unknown>): Promise<void>;
  startNode(index: number): void;
  killNode(index: number): void;
  onWritten(): void;
  onEdit(text: string): void;
  onPush(device: SimulatedDevice, wire: FakeSocket, text: string): void;
  onAnswer(device: SimulatedDevice, answered: AnsweredRequest): void;
  close(): Promise<void>;
}

/** The names of the two devices of a person. */
const DEVICE_NAMES = ["a", "b"];
const NODE_COUNT = 2;

/** Starts nodes and devices on a copy of the template database. Without a template nobody is registered. */
export async function createSimulation(
  options: SimulationOptions,
  template: string | null,
): Promise<Simulation> {
  const random = createPrng(options.seed);
  const clock = createFakeClock(START);
  const problems: string[] = [];
  const onError = (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error);
    problems.push(`a node failed: ${text}`);
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
  const people = Array.from({ length: template === null ? 0 : 3 + random.below(3) }, (_, i) => ({
    id: i + 1,
    userName: `user${i + 1}`,
  }));
  const rawDb = openConnection(join(folder, "parley.sqlite"));

  const simulation: Simulation = {
    options,
    random,
    clock,
    store,
    rawDb,
    nodes: [],
    bus,
    delays,
    blobs: options.hasFiles === true ? createMemoryBlobs() : null,
    people,
    devices: [],
    sockets: new Map(),
    requests: new Map(),
    delayRate: random.pick([0, 0.05, 0.15]),
    problems,
    coverage: Object.fromEntries(COVERAGE_GOALS.map((name) => [name, 0])) as Record<CoverageGoal, number>,
    acknowledged: [],
    reactions: 0,
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
      // It may have died between a commit and its cache invalidations.
      for (const other of simulation.nodes) {
        // It may have died between a commit and its pushes, so the other nodes make their clients pull.
        if (other) other.disconnectedSince ??= clock.now();
        other?.bus.receive({ kind: "stale", userIds: people.map(({ id }) => id) });
        for (const groupId of GROUP_IDS) other?.bus.receive({ kind: "staleGroup", groupId });
      }
      for (const { socket, node: other } of simulation.sockets.values()) if (other === node) socket.cut();
    },
    async close() {
      for (const device of simulation.devices) device.stop();
      for (let index = 0; index < NODE_COUNT; index++) simulation.killNode(index);
      for (const { release } of delays.delayed) release();
      rawDb.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let index = 0; index < NODE_COUNT; index++) simulation.startNode(index);
  for (const person of people) for (const name of DEVICE_NAMES) addDevice(simulation, person, name);
  return simulation;
}

function startNode(
  simulation: Simulation,
  index: number,
  presence: ReturnType<ReturnType<typeof createFakePresence>["of"]>,
  tokens: Tokens,
  onError: (error: unknown) => void,
): SimulatedNode {
  const { options, blobs, delays } = simulation;
  const { bug } = options;
  const bus = simulation.bus.join(index);
  const isDead = () => node.isDead;
  const delayedStore = createDelayedStore(
    bug?.store?.(simulation.store, simulation) ?? simulation.store,
    delays,
    isDead,
  );
  const parts = {
    store: delayedStore,
    bus: bug?.bus?.(bus, simulation) ?? bus,
    presence,
    tokens,
    passwordHasher: fakePasswordHasher,
    now: () => simulation.clock.now() + simulation.skew + node.skew,
    after(ms: number, work: () => void) {
      simulation.clock.after(ms, () => {
        if (!node.isDead) work();
      });
    },
    onError: (error: unknown) => {
      if (!node.isDead) onError(error);
    },
    ...(blobs !== null && { files: { blobs, delays } }),
  };
  const node: SimulatedNode = {
    index,
    bus,
    // `now` uses `node`, so it must not be called during creation.
    app: createNodeApp(parts),
    isDead: false,
    skew: 0,
    disconnectedSince: null,
  };
  return node;
}

/** Adds a device that is not signed in. */
export function addDevice(
  simulation: Simulation,
  person: SimulatedPerson,
  name: string,
  hasFirstChats = true,
): SimulatedDevice {
  const { clock, sockets } = simulation;
  const plain = createDevice({
    clock,
    server: {
      connectionLost(wire) {
        sockets.get(wire)?.socket.cut();
        sockets.delete(wire);
      },
    },
    name: `${person.userName}${name}`,
    userName: person.userName,
    losesMessages: simulation.options.bug?.losesMessages ?? false,
    hasFirstChats,
  });
  const device = Object.assign(plain, {
    userId: person.id,
    node: simulation.random.below(NODE_COUNT),
    isDown: false,
    received: { PRIVATE: new Set<number>(), GROUP: new Set<number>() },
    isTouched: true,
  });
  simulation.devices.push(device);
  return device;
}

/** The node of a device. The device moves to another node only if its own is dead. */
export function nodeOf(simulation: Simulation, device: SimulatedDevice): SimulatedNode | null {
  const own = simulation.nodes[device.node];
  if (own) return own;
  const other = simulation.nodes.find((node) => node !== null);
  if (other) device.node = other.index;
  return other ?? null;
}
