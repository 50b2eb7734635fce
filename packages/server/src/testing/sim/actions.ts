/** What people, machines and networks do in a world: one action a step, with the weights of the plan. */
import { MessageType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/rows";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { ask, fail, failAskedAt, hurry, isWaiting, settle } from "./network.ts";
import { groupTag, privateTag } from "./registry.ts";
import type { SimDevice, World } from "./world.ts";

type Action = (world: World, device: SimDevice) => void | Promise<void>;

/** Of a hundred. */
const WEIGHTS: readonly (readonly [number, Action])[] = [
  [40, send],
  [10, read],
  [5, recall],
  [5, edit],
  [5, changeMembers],
  [15, lose],
  [5, killTab],
  [3, killNode],
  [5, loseOnBus],
  [2, jumpClock],
  [5, wipe],
];

export async function act(world: World): Promise<void> {
  const devices = world.devices.filter((device) => !device.isDown);
  if (devices.length === 0) return;
  const device = world.chance.pick(devices);
  device.isTouched = true;
  let roll = world.chance.below(100);
  for (const [weight, action] of WEIGHTS) {
    if (roll < weight) return await action(world, device);
    roll -= weight;
  }
}

function chatsOf(device: SimDevice): ChatKey[] {
  const { contacts, groups } = device.client.getState();
  const friends = contacts.order.map((id): ChatKey => `PRIVATE:${id}`);
  return [...friends, ...groups.order.map((id): ChatKey => `GROUP:${id}`)];
}

function newText(world: World, device: SimDevice, key: ChatKey): string {
  const { type, targetId } = parseChatKey(key) ?? { type: "PRIVATE", targetId: 0 };
  const n = ++world.texts;
  return type === "GROUP" ? groupTag(targetId, n) : privateTag(device.userId, targetId, n);
}

function messagesOf(device: SimDevice, key: ChatKey): ChatMessage[] {
  const { messages } = device.client.getState().chats.byKey[key]?.window ?? { messages: [] };
  return messages.filter((message) => message.id !== null);
}

function send(world: World, device: SimDevice): void {
  const { chance } = world;
  const keys = chatsOf(device).filter((key) => {
    // Nobody talks to people that are not part of this world.
    const target = parseChatKey(key);
    return target?.type === "GROUP" || world.people.some(({ id }) => id === target?.targetId);
  });
  if (keys.length === 0) return;
  const key = chance.pick(keys);
  sendTo(world, device, key);
}

function sendTo(world: World, device: SimDevice, key: ChatKey): void {
  const { chance } = world;
  const { chats } = device.client;
  const known = messagesOf(device, key).filter((message) => message.type === MessageType.TEXT);
  if (known.length > 0 && chance.isLuck(0.25)) chats.setQuote(key, chance.pick(known.slice(-6)).id);
  if (chance.isLuck(0.2)) chats.open(key);
  const count = chance.isLuck(0.1) ? 4 : 1;
  for (let i = 0; i < count; i++)
    chats.sendText(key, newText(world, device, key), {
      receipt: key.startsWith("GROUP:") && chance.isLuck(0.4),
    });
}

function read(world: World, device: SimDevice): void {
  const { chance } = world;
  const known = chatsOf(device).filter((key) => messagesOf(device, key).length > 0);
  if (known.length === 0) return;
  const key = chance.pick(known);
  const readers = chance.isLuck(0.5)
    ? world.devices.filter((other) => other.userId === device.userId)
    : [device];
  for (const reader of readers) {
    const messages = messagesOf(reader, key);
    if (reader.isDown || messages.length === 0) continue;
    reader.client.chats.markSeen(key, chance.pick(messages.slice(-8)).id ?? 0);
  }
}

/** One's own messages of late, in any chat. */
function ownMessage(world: World, device: SimDevice): [ChatKey, ChatMessage] | null {
  const own = chatsOf(device).flatMap((key) =>
    messagesOf(device, key)
      .filter((message) => message.selfSend && message.type === MessageType.TEXT)
      .slice(-3)
      .map((message): [ChatKey, ChatMessage] => [key, message]),
  );
  if (own.length === 0) return null;
  const quoted = own.filter(([key, { id }]) =>
    messagesOf(device, key).some((message) => message.quoteMessage?.id === id),
  );
  return world.chance.pick(quoted.length > 0 && world.chance.isLuck(0.5) ? quoted : own);
}

function recall(world: World, device: SimDevice): void {
  const found = ownMessage(world, device);
  if (found === null) return;
  const [key, { id }] = found;
  if (messagesOf(device, key).some((message) => message.quoteMessage?.id === id))
    world.met["recall of a quoted message"]++;
  void device.client.chats.recall(key, id ?? 0);
  // The other device of this person does not know yet, and changes the same message.
  const other = world.devices.find((one) => one !== device && one.userId === device.userId && !one.isDown);
  if (other === undefined || !world.chance.isLuck(0.3)) return;
  if (messagesOf(other, key).some((message) => message.id === id))
    void other.client.chats.editText(key, id ?? 0, newText(world, other, key));
}

function edit(world: World, device: SimDevice): void {
  const found = ownMessage(world, device);
  if (found === null) return;
  const [key, { id }] = found;
  void device.client.chats.editText(key, id ?? 0, newText(world, device, key));
}

function changeMembers(world: World, device: SimDevice): void {
  const { chance } = world;
  const { groups } = device.client;
  const state = device.client.getState().groups;
  const request = state.requests[0];
  if (request !== undefined && chance.isLuck(0.6)) return void groups.approve(request.id);
  const id = 1 + chance.below(2);
  const someone = chance.pick(world.people).id;
  const role = state.order.includes(id) ? state.byId[id]?.role : undefined;
  const roll = chance.below(10);
  if (role === undefined) return void groups.apply(id, "please");
  if (roll < 2) return void groups.quit(id);
  if (roll < 4) return void groups.invite(id, [someone]);
  if (roll < 5) return void groups.setMuted(id, [someone], chance.isLuck(0.4));
  if (roll < 6) return void groups.setManagers(id, [someone], chance.isLuck(0.7));
  const victim = world.devices.find((one) => one.userId === someone && !one.isDown && one !== device);
  // Kicked while something of theirs is on its way.
  if (victim !== undefined && chance.isLuck(0.6) && victim.client.getState().groups.order.includes(id)) {
    world.met["kick during send"]++;
    sendTo(world, victim, `GROUP:${id}`);
  }
  void groups.removeMembers(id, [someone], false);
}

/** A socket, a request or an answer. */
function lose(world: World, device: SimDevice): void {
  const { chance } = world;
  const roll = chance.below(15);
  if (roll < 5) return device.drop();
  if (roll < 8) return device.client.session.retryConnection();
  if (roll < 9) {
    device.isCut = !device.isCut;
    return;
  }
  const { waiting } = device.ports.http;
  if (waiting.length === 0) return;
  const exchange = chance.pick(waiting);
  // What was never asked is lost on its way there; what was, on its way back, whenever that is.
  if (!world.asked.has(exchange) && chance.isLuck(0.6)) ask(world, device, exchange);
  world.asked.delete(exchange);
  fail(device, exchange);
}

function killTab(world: World, device: SimDevice): void {
  if (world.chance.isLuck(0.5)) return reload(device, false);
  device.stop();
  device.isDown = true;
}

export function reload(device: SimDevice, wipe: boolean): void {
  device.isDown = false;
  if (wipe) device.received = { PRIVATE: new Set(), GROUP: new Set() };
  if (!wipe) return void device.reload({ wipe });
  const loading = device.reload({ wipe });
  noteLogin(device, loading);
}

/** Clients whose login is under way: a form is not sent twice. */
const loggingIn = new WeakSet<SimDevice["client"]>();

function noteLogin(device: SimDevice, login: Promise<void>): void {
  const { client } = device;
  loggingIn.add(client);
  void login.then(() => loggingIn.delete(client));
}

/** A person who was logged out logs in. */
export function logIn(device: SimDevice): void {
  if (device.isDown || device.client.getState().session.kind !== "anonymous") return;
  if (!loggingIn.has(device.client)) noteLogin(device, device.start());
}

function wipe(_world: World, device: SimDevice): void {
  reload(device, true);
}

function killNode(world: World): void {
  const alive = world.nodes.filter((node) => node !== null);
  if (alive.length === 0) return;
  const node = world.chance.pick(alive);
  world.killNode(node.index);
  failAskedAt(world, node);
}

/** Events for a node are lost until it notices and closes its sockets; or one comes twice. */
function loseOnBus(world: World): void {
  const { chance } = world;
  const alive = world.nodes.filter((node) => node !== null);
  if (alive.length === 0) return;
  const node = chance.pick(alive);
  const queue = world.hub.queues.find(({ events }) => events.length > 0);
  if (chance.isLuck(0.5)) {
    const event = queue?.events[0];
    if (event !== undefined) queue?.events.unshift(event);
  } else node.deafSince ??= world.clock.now();
}

/** Its bus works again; what it missed is pulled. */
export function endDeafness(world: World, index: number): void {
  const node = world.nodes[index];
  if (!node || node.deafSince === null) return;
  node.deafSince = null;
  for (const { line, node: other } of world.lines.values()) if (other === node) line.cut();
}

/**
 * Nothing waits for longer in the store's answers, on the bus or in a loss that nobody notices. A push may meet two of them, and the clocks of
 * the nodes may be apart: all of that is less than a pull looks back.
 */
const UNDER_WAY_MAX_MS = 12_500;

export async function passTime(world: World, ms: number): Promise<void> {
  await arrive(world, world.clock.now() + ms - UNDER_WAY_MAX_MS);
  world.clock.advance(ms);
  for (const node of world.nodes) node?.app.gateway.sweep();
}

/** What has been on its way since before this time comes to its end, with all that it sets off. */
async function arrive(world: World, since: number): Promise<void> {
  do {
    hurry(world, since);
    for (const node of world.nodes)
      if (node?.deafSince != null && node.deafSince < since) endDeafness(world, node.index);
    await settle(world);
  } while (isWaiting(world, since));
}

/** How far the clocks of two nodes are apart: a pull looks back by what rows say of their time. */
const APART_MS = [-2_000, 0, 2_000];
const JUMPS_MS = [-3_600_000, -60_000, 0, 60_000, 3_600_000];

async function jumpClock(world: World): Promise<void> {
  const { chance } = world;
  const node = chance.pick(world.nodes);
  const roll = chance.below(10);
  if (roll < 3) await passTime(world, chance.pick([60_000, 400_000]));
  else if (roll < 6 && node) node.skew = chance.pick(APART_MS);
  else {
    await arrive(world, Infinity);
    world.skew = chance.pick(JUMPS_MS);
  }
}
