import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { Device } from "./device.ts";
import type { Fault } from "./fake-server/faults.ts";
import { flush, makeMove, movesOf } from "./network.ts";
import { settle } from "./settle.ts";
import { compareAll } from "./world-checks.ts";
import { doDeed } from "./world-deeds.ts";
import { doGroupDeed } from "./world-groups.ts";
import { createWorld, type Met, type World } from "./world-state.ts";
import { pickHow } from "./world-talk.ts";

/**
 * A world out of a seed: a few people with one or two devices each and a server, between them a network that is moved by hand. They send,
 * read, make friends, lose sockets, answers and tabs. At the end everyone comes online, everything is delivered, and all must be equal:
 * the devices of one person among themselves, and each with one that was wiped and pulled everything anew.
 */
export interface WorldResult {
  /** Differences found, empty when all is well. */
  readonly problems: readonly string[];
  /** How often something worth having met happened. */
  readonly met: Readonly<Record<Met, number>>;
}

export interface WorldOptions {
  readonly seed: number;
  readonly faults?: readonly Fault[];
  /** Random steps before the end. */
  readonly steps?: number;
}

const STEPS = 120;

export async function runWorld({ seed, faults = [], steps = STEPS }: WorldOptions): Promise<WorldResult> {
  const world = createWorld(seed, faults);
  await begin(world);
  await beginGroup(world);
  for (let i = 0; i < steps; i++) await step(world);
  await takeBack(world);
  await bringToRest(world);
  const problems = await compareAll(world);
  for (const device of world.devices) device.stop();
  return { problems, met: world.met };
}

/** All log in, and most are friends from the start. */
async function begin(world: World): Promise<void> {
  const { devices, server, clock, chance } = world;
  for (const device of devices) {
    const started = device.start();
    await flush(devices, server, clock);
    await started;
  }
  await flush(devices, server, clock);
  for (const device of devices) {
    for (const user of server.tables.users) {
      if (user.userName !== device.userName && chance.isLuck(0.6))
        void device.client.contacts.apply(user.id, "hi");
    }
    await flush(devices, server, clock);
    for (const request of device.client.getState().contacts.requests) {
      if (chance.isLuck(0.8)) void device.client.contacts.approve(request.id);
    }
    await flush(devices, server, clock);
  }
}

/** In most worlds there is a group from the start; into some of those nobody gets without being asked. */
async function beginGroup({ devices, server, clock, chance }: World): Promise<void> {
  const [first] = devices;
  if (first === undefined || chance.isLuck(0.2)) return;
  const isOpen = chance.isLuck(0.5);
  const memberIds = first.client.getState().contacts.order.filter(() => isOpen || chance.isLuck(0.3));
  void first.client.groups.create({ name: "first", memberIds });
  await flush(devices, server, clock);
  if (isOpen) return;
  void first.client.groups.setRights(1, { joinApproval: true });
  await flush(devices, server, clock);
}

/** Somebody leaves a group, others edit and recall what was said there, and he comes back: seldom enough by chance alone. */
async function takeBack(world: World): Promise<void> {
  const { devices, server, clock, chance } = world;
  const settled = async () => {
    await flush(devices, server, clock);
  };
  await settled();
  const leaver = chance.pick(devices);
  const [id] = leaver.client.getState().groups.order;
  if (id === undefined) return;
  void leaver.client.groups.quit(id);
  await settled();
  for (const { client, userName } of devices) {
    if (userName === leaver.userName) continue;
    const { messages } = client.getState().chats.byKey[`GROUP:${id}`]?.window ?? { messages: [] };
    for (const message of messages.filter((one) => one.selfSend && one.id !== null && chance.isLuck(0.5))) {
      if (chance.isLuck(0.5)) void client.chats.recall(`GROUP:${id}`, message.id ?? 0);
      else void client.chats.editText(`GROUP:${id}`, message.id ?? 0, `text ${++world.texts}`);
    }
  }
  await settled();
  void leaver.client.groups.apply(id, "again");
  await settled();
  for (const { client } of devices)
    for (const request of client.getState().groups.requests) void client.groups.approve(request.id);
  await settled();
}

async function step(world: World): Promise<void> {
  const { chance, clock, devices, server } = world;
  const roll = chance.below(100);
  const device = chance.pick(devices);
  if (roll < 42) moveSome(world, 1 + chance.below(6));
  else if (roll < 48) groupDeed(world, device);
  else if (roll < 52) travel(world, device);
  else if (roll < 63) talk(world, device);
  else if (roll < 72) deed(world, device);
  else if (roll < 77) read(world, device);
  else if (roll < 82) befriend(world, device);
  else if (roll < 87) clock.advance(chance.pick([50, 600, 1_000, 5_000, 15_000, 16_000, 400_000]));
  else if (roll < 92) drop(world, device);
  else if (roll < 95) loseHttp(world, device);
  else if (roll < 97) await reload(world, device);
  else if (roll < 98) device.isCut = !device.isCut;
  else if (roll < 99) device.client.session.retryConnection();
  else await flush(devices, server, clock);
  clock.runSoon();
  await settle();
}

function moveSome(world: World, count: number): void {
  const { chance, devices, server, met } = world;
  for (let i = 0; i < count; i++) {
    const moves = movesOf(devices, server);
    if (moves.length === 0) return;
    const move = chance.pick(moves);
    if (move.kind === "down" && world.faults.includes("dropsPushes") && chance.isLuck(0.05)) {
      move.wire.down.shift();
      continue;
    }
    if (move.kind === "ask" && isKnownSend(world, move.exchange.request.body)) met.retriedKnown++;
    makeMove(move, server, 1 + chance.below(4));
  }
}

function isKnownSend(world: World, body: unknown): boolean {
  if (typeof body !== "string" || !body.includes('"tmpId"')) return false;
  const { tmpId } = JSON.parse(body) as { tmpId?: string };
  const { messages, groups } = world.server.tables;
  return [...messages, ...groups.messages].some((row) => row.tmpId === tmpId);
}

function chatsOf(device: Device): ChatKey[] {
  const { chats, contacts, groups } = device.client.getState();
  const friends = contacts.order.map((id): ChatKey => `PRIVATE:${id}`);
  const joined = groups.order.map((id): ChatKey => `GROUP:${id}`);
  return [...new Set([...friends, ...joined, ...chats.order])];
}

function talk(world: World, device: Device): void {
  const keys = chatsOf(device).filter((key) => !key.startsWith("SYSTEM:"));
  if (keys.length === 0) return;
  const key = world.chance.pick(keys);
  const { chats } = device.client.getState();
  if (world.chance.isLuck(0.3)) device.client.chats.open(key);
  if (Object.values(chats.loading).some(Boolean)) world.met.pushInPull++;
  const count = world.chance.isLuck(0.1) ? 10 : 1 + world.chance.below(2);
  for (let i = 0; i < count; i++) {
    const text = `text ${++world.texts}`;
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) {
      const [how, done] = pickHow(target.targetId, world.chance, world.server.tables);
      for (const name of done) world.met[name]++;
      device.client.chats.sendText(key, text, how);
    } else device.client.chats.sendText(key, text);
    world.met.sent++;
  }
}

function deed(world: World, device: Device): void {
  const done = doDeed(device, world.chance, () => `text ${++world.texts}`);
  if (done !== null) world.met[done]++;
}

function groupDeed(world: World, device: Device): void {
  const done = doGroupDeed(device, world.server, world.chance, world.looked);
  if (done !== null) world.met[done]++;
}

/** Jumps and scrolls, while anything may be lost or late. */
function travel(world: World, device: Device): void {
  const { chance, met } = world;
  const { chats } = device.client;
  const { openKey, byKey } = device.client.getState().chats;
  const known = Object.values(byKey).filter((chat) => chat.type !== ChatType.SYSTEM);
  if (known.length === 0) return;
  const { key } = known.find((chat) => chat.key === openKey && chance.isLuck(0.7)) ?? chance.pick(known);
  const roll = chance.below(10);
  const { tables } = world.server;
  const rows: readonly { id: number; sendTime: number }[] = key.startsWith("GROUP:")
    ? tables.groups.messages
    : tables.messages;
  if (roll < 5 && rows.length > 0) {
    const { id, sendTime } = chance.pick(rows);
    met.jumped++;
    void chats.jumpTo(key, chance.isLuck(0.7) ? { id } : { time: sendTime }).then(() => {
      if (device.client.getState().chats.byKey[key]?.window.hasNewer === true) met.wasInPast++;
    });
  } else if (roll < 7) chats.loadOlder(key);
  else if (roll < 9) chats.loadNewer(key);
  else chats.toNewest(key);
}

function read(world: World, device: Device): void {
  const keys = chatsOf(device);
  if (keys.length === 0) return;
  const key = world.chance.pick(keys);
  const messages =
    device.client.getState().chats.byKey[key]?.window.messages.filter((m) => m.id !== null) ?? [];
  if (messages.length === 0) return;
  const message = world.chance.pick(messages);
  device.client.chats.markSeen(key, message.system?.seqNo ?? message.id ?? 0);
  world.met.read++;
}

function befriend(world: World, device: Device): void {
  const { contacts } = device.client;
  const { requests, order } = device.client.getState().contacts;
  const others = world.server.tables.users.filter((user) => user.userName !== device.userName);
  const roll = world.chance.below(10);
  const request = requests[0];
  if (roll < 4) void contacts.apply(world.chance.pick(others).id, "please");
  else if (roll < 7 && request !== undefined) void contacts.approve(request.id);
  else if (roll < 8 && request !== undefined) void contacts.reject(request.id);
  else if (roll < 9 && request !== undefined) void contacts.recall(request.id);
  else if (order.length > 0 && world.chance.isLuck(0.3)) void contacts.remove(world.chance.pick(order));
  world.met.friended++;
}

function drop(world: World, device: Device): void {
  world.met.dropped++;
  const isPulling = Object.values(device.client.getState().chats.loading).some(Boolean);
  if (isPulling) world.met.cutInPull++;
  device.drop();
}

/** The request does not arrive, or the answer does not. */
function loseHttp(world: World, device: Device): void {
  const { waiting } = device.ports.http;
  if (waiting.length === 0) return;
  const exchange = world.chance.pick(waiting);
  if (exchange.answer === null && world.chance.isLuck(0.5)) {
    exchange.answer = world.server.handle(exchange.request);
    world.met.lostAnswer++;
  } else world.met.lostRequest++;
  device.ports.http.finish(exchange, { kind: "failed", reason: "offline" });
}

async function reload(world: World, device: Device): Promise<void> {
  const wipe = world.chance.isLuck(0.25);
  world.met[wipe ? "wiped" : "reloaded"]++;
  if (device.client.getState().session.kind !== "active") return;
  const loading = device.reload({ wipe });
  await settle();
  if (!wipe) return;
  // A login has to be made by somebody; it is what this person does next.
  await flush(world.devices, world.server, world.clock);
  await loading;
}

const REST_STEPS = 16;
const REST_STEP_MS = 5_000;

/** Faults end: all lines work, time passes (a reconnect, retries, presence), everything is delivered. */
async function bringToRest(world: World): Promise<void> {
  const { devices, server, clock } = world;
  for (const device of devices) device.isCut = false;
  for (let i = 0; i < REST_STEPS; i++) {
    await flush(devices, server, clock);
    clock.advance(REST_STEP_MS);
  }
  await flush(devices, server, clock);
  world.met.gap += server.gapsTold;
}
