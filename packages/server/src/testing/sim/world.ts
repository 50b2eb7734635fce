/** One simulated world: people with two devices each, two nodes that share a store and a bus, and between them a network that is moved by hand. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { type Device, createDevice } from "@parley/core/testing/device";
import { type FakeClock, createFakeClock } from "@parley/core/testing/fake-clock";
import type { HttpExchange } from "@parley/core/testing/fake-http";
import type { FakeWire } from "@parley/core/testing/fake-sockets";
import { type Chance, createChance } from "@parley/core/testing/prng";
import type { OpenedStore } from "../../adapters/store/open.ts";
import { openFile } from "../../adapters/store/sqlite.ts";
import type { Tokens } from "../../modules/account/tokens.ts";
import type { Answered } from "./calls.ts";
import type { Bug } from "./bugs.ts";
import { type Gates, gatedStore } from "./gates.ts";
import { type Hub, type NodeBus, createHub } from "./hub.ts";
import type { Line } from "./line.ts";
import { type NodeApp, createNodeApp } from "./node.ts";
import { createSharedPresence, createTableTokens, plainPasswords } from "./stand-ins.ts";
import { GROUP_IDS, START, copyTemplate, openIn } from "./template.ts";

export interface SimOptions {
  readonly seed: number;
  readonly steps: number;
  /** Steps that are left out: what a failure does not need. */
  readonly skip?: ReadonlySet<number>;
  readonly bug?: Bug;
}

/** What a run must have met at least once, over all seeds. */
export const SOMETIMES = [
  "pull overlapped push",
  "retry hit existing tmpId",
  "gap held a cursor",
  "two devices read concurrently",
  "kick during send",
  "recall of a quoted message",
  "edit after recall",
  "reconnect within one commit",
] as const;
export type Sometimes = (typeof SOMETIMES)[number];

export interface SimNode {
  readonly index: number;
  readonly app: NodeApp;
  readonly bus: NodeBus;
  isDead: boolean;
  /** How far its clock is off the other's. */
  skew: number;
  /** Events for it are being lost; when that ends, its sockets are closed. */
  /** Since when. */
  deafSince: number | null;
}

/** A send that was answered with success. */
export interface Ack {
  readonly isGroup: boolean;
  readonly id: number;
  readonly sendId: number;
  readonly target: number;
  readonly content: string;
}

export interface Person {
  readonly id: number;
  readonly userName: string;
}

export interface SimDevice extends Device {
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

export interface World {
  readonly options: SimOptions;
  chance: Chance;
  readonly clock: FakeClock;
  readonly store: OpenedStore;
  /** Reads what is committed, past the store's own ways of asking. */
  readonly probe: Database.Database;
  readonly nodes: (SimNode | null)[];
  readonly hub: Hub;
  readonly gates: Gates;
  readonly people: readonly Person[];
  readonly devices: SimDevice[];
  readonly lines: Map<FakeWire, { line: Line; node: SimNode }>;
  readonly asked: Map<HttpExchange, SimNode>;
  /** How often the store's answers wait; 0: never. */
  holding: number;
  readonly problems: string[];
  readonly met: Record<Sometimes, number>;
  readonly acks: Ack[];
  texts: number;
  /** How far the clocks of the nodes are off that of the clients. */
  skew: number;
  /** Something was committed, or came to a client, since the last look. */
  isChanged: boolean;
  /** Fingerprint of all that was pushed and answered: the same seed gives the same. */
  trace: number;
  /** Carries it out in a later turn; the world does not come to rest before. */
  later(work: () => Promise<unknown>): Promise<void>;
  startNode(index: number): void;
  killNode(index: number): void;
  onWritten(): void;
  onEdit(text: string): void;
  onPush(device: SimDevice, wire: FakeWire, text: string): void;
  onAnswer(device: SimDevice, answered: Answered): void;
  close(): Promise<void>;
}

/** Two devices of a person. */
const NAMES = ["a", "b"];
const NODES = 2;

export async function createWorld(options: SimOptions, template: string): Promise<World> {
  const chance = createChance(options.seed);
  const clock = createFakeClock(START);
  const problems: string[] = [];
  const onError = (error: unknown) => {
    const known = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error);
    problems.push(`a node failed: ${known}`);
  };
  const folder = await copyTemplate(template);
  const store = await openIn(folder, onError);
  const gates: Gates = {
    held: [],
    underWay: 0,
    activity: 0,
    now: clock.now,
    onWritten: () => world.onWritten(),
    isHeld: () => world.chance.isLuck(world.holding),
  };
  const hub = createHub(clock.now, () => void gates.activity++, onError);
  const presence = createSharedPresence();
  const tokens = createTableTokens();
  const people = Array.from({ length: 3 + chance.below(3) }, (_, i) => ({
    id: i + 1,
    userName: `user${i + 1}`,
  }));
  const probe = openFile(join(folder, "parley.sqlite"));

  const world: World = {
    options,
    chance,
    clock,
    store,
    probe,
    nodes: [],
    hub,
    gates,
    people,
    devices: [],
    lines: new Map(),
    asked: new Map(),
    holding: chance.pick([0, 0.05, 0.15]),
    problems,
    met: Object.fromEntries(SOMETIMES.map((name) => [name, 0])) as Record<Sometimes, number>,
    acks: [],
    texts: 0,
    skew: 0,
    isChanged: true,
    trace: 0,
    onWritten: () => undefined,
    onEdit: () => undefined,
    onPush: () => undefined,
    onAnswer: () => undefined,
    async later(work) {
      gates.underWay++;
      await new Promise((resolve) => setImmediate(resolve));
      try {
        await work();
      } finally {
        gates.underWay--;
        gates.activity++;
      }
    },
    startNode(index) {
      world.nodes[index] = startNode(world, index, presence.of(index), tokens, onError);
    },
    killNode(index) {
      const node = world.nodes[index];
      if (!node) return;
      node.isDead = true;
      world.nodes[index] = null;
      hub.leave(index);
      presence.leave(index);
      // It may have died between a commit and telling that others remember something old.
      for (const other of world.nodes) {
        // What it had committed and told nobody is nowhere but in the store: the others make their clients pull.
        if (other) other.deafSince ??= clock.now();
        other?.bus.hear({ kind: "stale", userIds: people.map(({ id }) => id) });
        for (const groupId of GROUP_IDS) other?.bus.hear({ kind: "staleGroup", groupId });
      }
      for (const { line, node: other } of world.lines.values()) if (other === node) line.cut();
    },
    async close() {
      for (const device of world.devices) device.stop();
      for (let index = 0; index < NODES; index++) world.killNode(index);
      for (const { release } of gates.held) release();
      probe.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let index = 0; index < NODES; index++) world.startNode(index);
  for (const person of people) for (const name of NAMES) addDevice(world, person, name);
  return world;
}

function startNode(
  world: World,
  index: number,
  presence: ReturnType<ReturnType<typeof createSharedPresence>["of"]>,
  tokens: Tokens,
  onError: (error: unknown) => void,
): SimNode {
  const { bug } = world.options;
  const bus = world.hub.join(index);
  const isDead = () => node.isDead;
  const gated = gatedStore(bug?.store?.(world.store, world) ?? world.store, world.gates, isDead);
  const parts = {
    store: gated,
    bus: bug?.bus?.(bus, world) ?? bus,
    presence,
    tokens,
    passwords: plainPasswords,
    now: () => world.clock.now() + world.skew + node.skew,
    onError: (error: unknown) => {
      if (!node.isDead) onError(error);
    },
  };
  const node: SimNode = {
    index,
    bus,
    // The clock is not asked before the node is there.
    app: createNodeApp(parts),
    isDead: false,
    skew: 0,
    deafSince: null,
  };
  return node;
}

export function addDevice(world: World, person: Person, name: string): SimDevice {
  const { clock, lines } = world;
  const plain = createDevice({
    clock,
    server: {
      connectionLost(wire) {
        lines.get(wire)?.line.cut();
        lines.delete(wire);
      },
    },
    name: `${person.userName}${name}`,
    userName: person.userName,
    losesMessages: world.options.bug?.losesMessages ?? false,
  });
  const device = Object.assign(plain, {
    userId: person.id,
    node: world.chance.below(NODES),
    isDown: false,
    received: { PRIVATE: new Set<number>(), GROUP: new Set<number>() },
    isTouched: true,
  });
  world.devices.push(device);
  return device;
}

/** The node that serves this device; it moves to another one only when its own is dead. */
export function nodeOf(world: World, device: SimDevice): SimNode | null {
  const own = world.nodes[device.node];
  if (own) return own;
  const other = world.nodes.find((node) => node !== null);
  if (other) device.node = other.index;
  return other ?? null;
}
