import { ChatType, MessageType } from "@parley/protocol/codes";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey } from "../model/state.ts";
import { createDevice, type Device } from "./device.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import type { Fault } from "./fake-server/faults.ts";
import { createFakeServer, type FakeServer } from "./fake-server/server.ts";
import { seenIn, untoldTo } from "./fake-server/group-view.ts";
import { isInChat, isVisibleTo } from "./fake-server/tables.ts";
import { flush, makeMove, movesOf } from "./network.ts";
import { type Chance, createChance } from "./prng.ts";
import type { RoomOptions } from "../runtime/room.ts";
import { settle } from "./settle.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";
import { type Deed, doDeed } from "./world-deeds.ts";
import { checkGroups, doGroupDeed, type GroupDeed, type Looked } from "./world-groups.ts";
import { type HowDeed, pickHow } from "./world-talk.ts";

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

export type Met =
  | "sent"
  | "dropped"
  | "cutInPull"
  | "pushInPull"
  | "reloaded"
  | "wiped"
  | "lostAnswer"
  | "lostRequest"
  | "retriedKnown"
  | "read"
  | "friended"
  | "gap"
  | "jumped"
  | "wasInPast"
  | Deed
  | GroupDeed
  | HowDeed;

export interface WorldOptions {
  readonly seed: number;
  readonly faults?: readonly Fault[];
  /** Random steps before the end. */
  readonly steps?: number;
}

interface World {
  readonly chance: Chance;
  readonly clock: FakeClock;
  readonly server: FakeServer;
  readonly devices: Device[];
  readonly met: Record<Met, number>;
  readonly faults: readonly Fault[];
  /** First pulls are cut short, so that windows begin at gaps. */
  readonly hasGaps: boolean;
  /** Small, so that chats of a few messages have a past that is not in the window. */
  readonly sizes: RoomOptions;
  texts: number;
  readonly looked: Looked;
}

const STEPS = 120;

export async function runWorld({ seed, faults = [], steps = STEPS }: WorldOptions): Promise<WorldResult> {
  const world = createWorld(seed, faults);
  await begin(world);
  await beginGroup(world);
  for (let i = 0; i < steps; i++) await step(world);
  await bringToRest(world);
  const problems = await compareAll(world);
  for (const device of world.devices) device.stop();
  return { problems, met: world.met };
}

function createWorld(seed: number, faults: readonly Fault[]): World {
  const chance = createChance(seed);
  const clock = createFakeClock();
  const server = createFakeServer(() => clock.now(), faults);
  const met = {
    sent: 0,
    dropped: 0,
    cutInPull: 0,
    pushInPull: 0,
    reloaded: 0,
    wiped: 0,
    lostAnswer: 0,
    lostRequest: 0,
    retriedKnown: 0,
    read: 0,
    friended: 0,
    gap: 0,
    jumped: 0,
    wasInPast: 0,
    quoted: 0,
    edited: 0,
    recalled: 0,
    hidden: 0,
    cleared: 0,
    removed: 0,
    markedRead: 0,
    markedUnread: 0,
    pinned: 0,
    silenced: 0,
    groupMade: 0,
    groupInvited: 0,
    groupApplied: 0,
    groupAnswered: 0,
    groupRemoved: 0,
    groupPurged: 0,
    groupManaged: 0,
    groupMuted: 0,
    groupHanded: 0,
    groupQuit: 0,
    groupDissolved: 0,
    groupChanged: 0,
    groupRights: 0,
    groupSet: 0,
    groupNoticeRead: 0,
    groupLooked: 0,
    mentioned: 0,
    askedReceipt: 0,
  };
  const hasGaps = chance.isLuck(0.2);
  const sizes = chance.pick([{ pageSize: 2, closedWindow: 3 }, { pageSize: 5, closedWindow: 5 }, {}]);
  const world: World = {
    chance,
    clock,
    server,
    met,
    faults,
    hasGaps,
    sizes,
    devices: [],
    texts: 0,
    looked: new Map(),
  };
  if (hasGaps) server.firstPullMax = 3 + chance.below(10);
  const people = 2 + chance.below(2);
  for (let i = 0; i < people; i++) {
    const userName = `user${i + 1}`;
    server.addUser(userName, { isManualApprove: chance.isLuck(0.7) });
    const devices = chance.isLuck(0.4) ? 2 : 1;
    for (let n = 0; n < devices; n++) addDevice(world, userName, `${userName}${"ab"[n]}`);
  }
  return world;
}

function addDevice(world: World, userName: string, name: string): Device {
  const { clock, server, faults } = world;
  const losesMessages = faults.includes("losesMessages");
  const { sizes } = world;
  const device = createDevice({ clock, server, userName, name, losesMessages, sizes });
  world.devices.push(device);
  return device;
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
  const [first] = devices;
  if (first === undefined || !chance.isLuck(0.6)) return;
  const memberIds = first.client.getState().contacts.order;
  void first.client.groups.create({ name: "group 0", memberIds });
  await flush(devices, server, clock);
}

/** In some worlds there is a group from the start into which nobody gets without being asked. */
async function beginGroup({ devices, server, clock, chance }: World): Promise<void> {
  const [first] = devices;
  if (first === undefined || chance.isLuck(0.6)) return;
  const memberIds = first.client.getState().contacts.order.filter(() => chance.isLuck(0.3));
  void first.client.groups.create({ name: "first", memberIds });
  await flush(devices, server, clock);
  void first.client.groups.setRights(1, { joinApproval: true });
  await flush(devices, server, clock);
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

async function compareAll(world: World): Promise<string[]> {
  const { devices, server, clock } = world;
  const problems: string[] = [];
  const everybody = [...devices];
  for (const { userName } of server.tables.users) {
    const mine = everybody.filter((device) => device.userName === userName);
    const fresh = addDevice(world, userName, `${userName}-fresh`);
    const started = fresh.start();
    await flush(devices, server, clock);
    await started;
    await flush(devices, server, clock);
    const expected = await fullSnapshot(world, fresh);
    for (const device of mine) {
      const state = device.client.getState();
      if (state.connection.kind !== "online") problems.push(`${device.name} is ${state.connection.kind}`);
      problems.push(...(await checkTravels(world, device)));
      const actual = toldIn(world, userName, await fullSnapshot(world, device));
      problems.push(...differences(device.name, actual, toldIn(world, userName, expected), world.hasGaps));
    }
    problems.push(...checkServerTruth(world, userName, expected));
  }
  for (const device of devices) {
    problems.push(...checkGroups(device, server, world.looked));
    if (device.name.endsWith("a")) problems.push(...(await checkWarmStart(world, device)));
  }
  await flush(devices, server, clock);
  return problems;
}

const WRITTEN_MS = 1_000;

/** What a reload has of groups before any server answers. */
async function checkWarmStart(world: World, device: Device): Promise<string[]> {
  world.clock.advance(WRITTEN_MS);
  await flush(world.devices, world.server, world.clock);
  const kept = () => {
    const { byId, order, readNotices } = device.client.getState().groups;
    return JSON.stringify({ byId, order, readNotices });
  };
  const before = kept();
  void device.reload({ wipe: false });
  await settle();
  const after = kept();
  await flush(world.devices, world.server, world.clock);
  return before === after ? [] : [`${device.name} starts with ${after}\n  instead of ${before}`];
}

/** The state with every chat read up to its beginning, and what can never be sent thrown away. */
async function fullSnapshot(world: World, device: Device): Promise<Snapshot> {
  const { chats } = device.client;
  const full: Record<string, Snapshot["chats"][string]> = {};
  for (const key of Object.keys(device.client.getState().chats.byKey) as ChatKey[]) {
    chats.open(key);
    await flush(world.devices, world.server, world.clock);
    await scrollAll(world, device, key);
    for (const message of device.client.getState().chats.byKey[key]?.window.messages ?? []) {
      if (message.sending === "failed" && message.tmpId !== null) chats.discard(key, message.tmpId);
    }
    const chat = snapshotOf(device.client.getState()).chats[key];
    if (chat !== undefined) full[key] = chat;
  }
  return { ...snapshotOf(device.client.getState()), chats: full };
}

const PAGES_MAX = 200;

/** Up to the beginning, and down to the newest message. */
async function scrollAll(world: World, device: Device, key: ChatKey): Promise<void> {
  const { chats } = device.client;
  const window = () => device.client.getState().chats.byKey[key]?.window;
  for (let page = 0; page < PAGES_MAX && window()?.hasOlder; page++) {
    chats.loadOlder(key);
    await flush(world.devices, world.server, world.clock);
  }
  for (let page = 0; page < PAGES_MAX && window()?.hasNewer; page++) {
    chats.loadNewer(key);
    await flush(world.devices, world.server, world.clock);
  }
}

/** Somewhere into each chat, then both ways: at each step the window is a run of what the server has. */
async function checkTravels(world: World, device: Device): Promise<string[]> {
  const problems: string[] = [];
  const me = world.server.tables.users.find((user) => user.userName === device.userName)?.id ?? 0;
  const { chats } = device.client;
  for (const key of Object.keys(device.client.getState().chats.byKey) as ChatKey[]) {
    const target = parseChatKey(key);
    if (target === null || target.type === ChatType.SYSTEM) continue;
    const untold = untoldIn(world, me, target);
    const isTold = (id: number) => !untold.has(id);
    const stored = storedIn(world.server, me, target)
      .map((row) => row.id)
      .filter(isTold);
    if (stored.length === 0) continue;
    const wanted = world.chance.pick(stored);
    chats.closeOpen();
    const jumped = chats.jumpTo(key, { id: wanted });
    await flush(world.devices, world.server, world.clock);
    if ((await jumped) !== wanted)
      problems.push(`${device.name} ${key} jumped to ${await jumped}, not ${wanted}`);
    const window = () => device.client.getState().chats.byKey[key]?.window;
    const ids = () =>
      window()
        ?.messages.flatMap((message) => message.id ?? [])
        .filter(isTold) ?? [];
    for (let page = 0; page < PAGES_MAX && (window()?.hasOlder || window()?.hasNewer); page++) {
      const [first = 0] = ids();
      const run = stored.slice(stored.indexOf(first), stored.indexOf(first) + ids().length).join();
      if (ids().join() !== run)
        problems.push(`${device.name} ${key} shows ${ids().join()}, stored are ${run}`);
      if (world.chance.isLuck(0.5) && window()?.hasOlder) chats.loadOlder(key);
      else chats.loadNewer(key);
      await flush(world.devices, world.server, world.clock);
    }
    if (ids().join() !== stored.join())
      problems.push(`${device.name} ${key} ends with ${ids().join()}, stored are ${stored.join()}`);
  }
  return problems;
}

/** Of groups in which something was done while this person was out, only what does not depend on that. */
function toldIn(world: World, userName: string, snapshot: Snapshot): Snapshot {
  const me = world.server.tables.users.find((user) => user.userName === userName)?.id ?? 0;
  const chats = { ...snapshot.chats };
  for (const [key, chat] of Object.entries(snapshot.chats)) {
    const untold = untoldIn(world, me, parseChatKey(key));
    if (untold.size === 0) continue;
    const messages = chat.messages.filter((line) => !untold.has(idIn(line)));
    chats[key] = { ...chat, messages, unread: 0, mentions: "", preview: "", lastSendTime: 0 };
  }
  return { ...snapshot, chats };
}

function untoldIn(
  { server }: World,
  me: number,
  target: { type: ChatType; targetId: number } | null,
): ReadonlySet<number> {
  return target?.type === ChatType.GROUP ? untoldTo(server.tables, target.targetId, me) : new Set();
}

function idIn(line: string): number {
  return Number(/^(?:--- )?(\d+)/.exec(line)?.[1]);
}

function differences(name: string, actual: Snapshot, expected: Snapshot, hasGaps: boolean): string[] {
  const problems: string[] = [];
  const compare = (what: string, a: unknown, b: unknown) => {
    const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
    if (left !== right) problems.push(`${name} ${what}:\n  has      ${left}\n  expected ${right}`);
  };
  const inBoth = (key: string) => key in actual.chats && key in expected.chats;
  compare("order", actual.order.filter(inBoth), expected.order.filter(inBoth));
  compare("friends", actual.friends, expected.friends);
  compare("requests", actual.requests, expected.requests);
  compare("groups", actual.groups, expected.groups);
  compare("groupRequests", actual.groupRequests, expected.groupRequests);
  for (const key of new Set([...Object.keys(actual.chats), ...Object.keys(expected.chats)])) {
    const [a, b] = [actual.chats[key], expected.chats[key]];
    if (a === undefined || b === undefined) {
      // A chat that lies in the gap as a whole is not told to one who pulls for the first time; how far the gap reaches depends on how
      // much was deleted by then.
      if (hasGaps) continue;
      problems.push(`${name} ${key}: ${a === undefined ? "is missing" : "should not be there"}`);
      continue;
    }
    for (const field of Object.keys(b) as (keyof typeof b)[]) {
      compare(`${key} ${field}`, a[field], b[field]);
    }
  }
  return problems;
}

/** Every stored message is shown once, in the order of ids; nothing else is. */
function checkServerTruth(world: World, userName: string, snapshot: Snapshot): string[] {
  const { tables } = world.server;
  const me = tables.users.find((user) => user.userName === userName)?.id ?? 0;
  const problems: string[] = [];
  for (const [key, chat] of Object.entries(snapshot.chats)) {
    const target = parseChatKey(key);
    if (target === null || target.type === ChatType.SYSTEM) continue;
    const stored = storedIn(world.server, me, target);
    const ids = stored.map((row) => row.id).join();
    const shown = chat.messages.map(idIn).join();
    if (ids !== shown) problems.push(`${userName} ${key} shows ${shown}, stored are ${ids}`);
    const texts = stored.filter((row) => row.content.startsWith("text ")).map((row) => row.content);
    if (new Set(texts).size !== texts.length) problems.push(`${userName} ${key}: a message was stored twice`);
  }
  return problems;
}

/** What a person may see of a chat, without the rows that only change others. */
function storedIn(
  { tables }: FakeServer,
  me: number,
  { type, targetId }: { type: ChatType; targetId: number },
): { id: number; content: string }[] {
  const rows =
    type === ChatType.GROUP
      ? seenIn(tables, targetId, me)
      : tables.messages.filter((row) => isInChat(row, me, targetId) && isVisibleTo(tables, row, me));
  return rows.filter((row) => row.type !== MessageType.EDIT && row.type !== MessageType.RECALL);
}
