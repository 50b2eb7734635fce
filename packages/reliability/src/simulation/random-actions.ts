/** The random actions of people, devices, nodes and the network: one for each step, chosen by weight. */
import { MessageType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import {
  sendRequest,
  failRequest,
  failRequestsTo,
  deliverOlderThan,
  hasUndeliveredSince,
  runUntilIdle,
} from "./simulated-network.ts";
import { groupTag, privateTag } from "./message-registry.ts";
import type { SimulatedDevice, Simulation } from "./simulation.ts";

type RandomAction = (simulation: Simulation, device: SimulatedDevice) => void | Promise<void>;

/** The actions with their weights, which add up to 100. */
const WEIGHTS: readonly (readonly [number, RandomAction])[] = [
  [40, send],
  [10, read],
  [5, recall],
  [5, edit],
  [5, changeMembers],
  [15, cutDevice],
  [5, killTab],
  [3, killNode],
  [5, loseBusEvents],
  [2, jumpClock],
  [5, wipe],
];

/** Performs one random action. */
export async function performRandomAction(simulation: Simulation): Promise<void> {
  const devices = simulation.devices.filter((device) => !device.isDown);
  if (devices.length === 0) return;
  const device = simulation.random.pick(devices);
  device.isTouched = true;
  let roll = simulation.random.below(100);
  for (const [weight, action] of WEIGHTS) {
    if (roll < weight) return await action(simulation, device);
    roll -= weight;
  }
}

function chatsOf(device: SimulatedDevice): ChatKey[] {
  const { contacts, groups } = device.client.getState();
  const friends = contacts.order.map((id): ChatKey => `PRIVATE:${id}`);
  return [...friends, ...groups.order.map((id): ChatKey => `GROUP:${id}`)];
}

/** A new text for a chat. */
export function newText(simulation: Simulation, device: SimulatedDevice, key: ChatKey): string {
  const { type, targetId } = parseChatKey(key) ?? { type: "PRIVATE", targetId: 0 };
  const n = ++simulation.texts;
  return type === "GROUP" ? groupTag(targetId, n) : privateTag(device.userId, targetId, n);
}

/** The messages of a chat that the server has and the device has in memory. */
export function messagesOf(device: SimulatedDevice, key: ChatKey): ChatMessage[] {
  const { messages } = device.client.getState().chats.byKey[key]?.window ?? { messages: [] };
  return messages.filter((message) => message.id !== null);
}

/** The chats in which the person of a device can reach somebody. */
export function writableChatsOf({ people }: Simulation, device: SimulatedDevice): ChatKey[] {
  return chatsOf(device).filter((key) => {
    // Some friends in the database are not part of this simulation.
    const target = parseChatKey(key);
    return target?.type === "GROUP" || people.some(({ id }) => id === target?.targetId);
  });
}

function send(simulation: Simulation, device: SimulatedDevice): void {
  const keys = writableChatsOf(simulation, device);
  if (keys.length > 0) sendTo(simulation, device, simulation.random.pick(keys));
}

function sendTo(simulation: Simulation, device: SimulatedDevice, key: ChatKey): void {
  const { random } = simulation;
  const { chats } = device.client;
  const known = messagesOf(device, key).filter((message) => message.type === MessageType.TEXT);
  if (known.length > 0 && random.isTrueWithProbability(0.25))
    chats.setQuote(key, random.pick(known.slice(-6)).id);
  if (random.isTrueWithProbability(0.2)) chats.open(key);
  const count = random.isTrueWithProbability(0.1) ? 4 : 1;
  for (let i = 0; i < count; i++)
    chats.sendText(key, newText(simulation, device, key), {
      receipt: key.startsWith("GROUP:") && random.isTrueWithProbability(0.4),
    });
}

function read(simulation: Simulation, device: SimulatedDevice): void {
  const { random } = simulation;
  const known = chatsOf(device).filter((key) => messagesOf(device, key).length > 0);
  if (known.length === 0) return;
  const key = random.pick(known);
  const readers = random.isTrueWithProbability(0.5)
    ? simulation.devices.filter((other) => other.userId === device.userId)
    : [device];
  for (const reader of readers) {
    const messages = messagesOf(reader, key);
    if (reader.isDown || messages.length === 0) continue;
    reader.client.chats.markReadUpTo(key, random.pick(messages.slice(-8)).id ?? 0);
  }
}

/** A recent message of this person in any chat, or null. */
function ownMessage(simulation: Simulation, device: SimulatedDevice): [ChatKey, ChatMessage] | null {
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
  return simulation.random.pick(
    quoted.length > 0 && simulation.random.isTrueWithProbability(0.5) ? quoted : own,
  );
}

function recall(simulation: Simulation, device: SimulatedDevice): void {
  const found = ownMessage(simulation, device);
  if (found === null) return;
  const [key, { id }] = found;
  if (messagesOf(device, key).some((message) => message.quoteMessage?.id === id))
    simulation.coverage["a recall of a quoted message"]++;
  void device.client.chats.recall(key, id ?? 0);
  // Sometimes the other device, which does not know of the recall yet, edits the same message.
  const other = simulation.devices.find(
    (one) => one !== device && one.userId === device.userId && !one.isDown,
  );
  if (other === undefined || !simulation.random.isTrueWithProbability(0.3)) return;
  if (messagesOf(other, key).some((message) => message.id === id))
    void other.client.chats.editText(key, id ?? 0, newText(simulation, other, key));
}

function edit(simulation: Simulation, device: SimulatedDevice): void {
  const found = ownMessage(simulation, device);
  if (found === null) return;
  const [key, { id }] = found;
  void device.client.chats.editText(key, id ?? 0, newText(simulation, device, key));
}

function changeMembers(simulation: Simulation, device: SimulatedDevice): void {
  const { random } = simulation;
  const { groups } = device.client;
  const state = device.client.getState().groups;
  const request = state.requests[0];
  if (request !== undefined && random.isTrueWithProbability(0.6)) return void groups.approve(request.id);
  const id = 1 + random.below(2);
  const personId = random.pick(simulation.people).id;
  const role = state.order.includes(id) ? state.byId[id]?.role : undefined;
  const roll = random.below(10);
  if (role === undefined) return void groups.apply(id, "please");
  if (roll < 2) return void groups.quit(id);
  if (roll < 4) return void groups.invite(id, [personId]);
  if (roll < 5) return void groups.setMuted(id, [personId], random.isTrueWithProbability(0.4));
  if (roll < 6) return void groups.setManagers(id, [personId], random.isTrueWithProbability(0.7));
  const removed = simulation.devices.find((one) => one.userId === personId && !one.isDown && one !== device);
  // Sometimes the removed person is sending at the same time.
  if (
    removed !== undefined &&
    random.isTrueWithProbability(0.6) &&
    removed.client.getState().groups.order.includes(id)
  ) {
    simulation.coverage["a kick during a send"]++;
    sendTo(simulation, removed, `GROUP:${id}`);
  }
  void groups.removeMembers(id, [personId], false);
}

/** Cuts a socket, or loses a request or an answer. */
function cutDevice(simulation: Simulation, device: SimulatedDevice): void {
  const { random } = simulation;
  const roll = random.below(15);
  if (roll < 5) return device.dropConnection();
  if (roll < 8) return device.client.session.reconnectNow();
  if (roll < 9) {
    device.isOffline = !device.isOffline;
    return;
  }
  const { waiting } = device.ports.http;
  if (waiting.length === 0) return;
  const exchange = random.pick(waiting);
  // A request that was not sent yet is lost, or it is sent and its answer is lost.
  if (!simulation.requests.has(exchange) && random.isTrueWithProbability(0.6))
    sendRequest(simulation, device, exchange);
  simulation.requests.delete(exchange);
  failRequest(device, exchange);
}

function killTab(simulation: Simulation, device: SimulatedDevice): void {
  if (simulation.random.isTrueWithProbability(0.5)) return reload(device, false);
  device.stop();
  device.isDown = true;
}

/** Reloads the page of a device. `wipe`: with empty storage. */
export function reload(device: SimulatedDevice, wipe: boolean): void {
  device.isDown = false;
  if (wipe) device.received = { PRIVATE: new Set(), GROUP: new Set() };
  if (!wipe) return void device.reload({ wipe });
  const loading = device.reload({ wipe });
  noteLogin(device, loading);
}

/** Clients whose login is under way, so that it is not started twice. */
const loggingInClients = new WeakSet<SimulatedDevice["client"]>();

function noteLogin(device: SimulatedDevice, login: Promise<void>): void {
  const { client } = device;
  loggingInClients.add(client);
  void login.then(() => loggingInClients.delete(client));
}

/** Logs a device in if it is signed out. */
export function logIn(device: SimulatedDevice): void {
  if (device.isDown || device.client.getState().session.kind !== "anonymous") return;
  if (!loggingInClients.has(device.client)) noteLogin(device, device.start());
}

function wipe(_simulation: Simulation, device: SimulatedDevice): void {
  reload(device, true);
}

function killNode(simulation: Simulation): void {
  const alive = simulation.nodes.filter((node) => node !== null);
  if (alive.length === 0) return;
  const node = simulation.random.pick(alive);
  simulation.killNode(node.index);
  failRequestsTo(simulation, node);
}

/** Duplicates an event, or loses the events for a node until it notices and closes its sockets. */
function loseBusEvents(simulation: Simulation): void {
  const { random } = simulation;
  const alive = simulation.nodes.filter((node) => node !== null);
  if (alive.length === 0) return;
  const node = random.pick(alive);
  const queue = simulation.bus.queues.find(({ events }) => events.length > 0);
  if (random.isTrueWithProbability(0.5)) {
    const event = queue?.events[0];
    if (event !== undefined) queue?.events.unshift(event);
  } else node.disconnectedSince ??= simulation.clock.now();
}

/** Connects a node to the bus again and closes its sockets, so that their clients pull what was missed. */
export function reconnectToBus(simulation: Simulation, index: number): void {
  const node = simulation.nodes[index];
  if (!node || node.disconnectedSince === null) return;
  node.disconnectedSince = null;
  for (const { socket, node: other } of simulation.sockets.values()) if (other === node) socket.cut();
}

/**
 * The longest time that a result of the store, a bus event or an unnoticed loss may take. A push may meet two of them, and the clocks of
 * the nodes may differ: together this is less than the overlap of a pull.
 */
const IN_FLIGHT_MAX_MS = 12_500;

/** Advances the clock. Overdue results and events are delivered first. */
export async function passTime(simulation: Simulation, ms: number): Promise<void> {
  await deliverOverdue(simulation, simulation.clock.now() + ms - IN_FLIGHT_MAX_MS);
  simulation.clock.advance(ms);
  for (const node of simulation.nodes) node?.app.gateway.sweep();
}

/** Delivers everything that has been under way since before this time, with all its effects. */
async function deliverOverdue(simulation: Simulation, since: number): Promise<void> {
  do {
    deliverOlderThan(simulation, since);
    for (const node of simulation.nodes)
      if (node?.disconnectedSince != null && node.disconnectedSince < since)
        reconnectToBus(simulation, node.index);
    await runUntilIdle(simulation);
  } while (hasUndeliveredSince(simulation, since));
}

/** Differences of the clocks of two nodes. They are small, because a pull computes its overlap from the times of the rows. */
const CLOCK_SKEW_MS = [-2_000, 0, 2_000];
const JUMPS_MS = [-3_600_000, -60_000, 0, 60_000, 3_600_000];

async function jumpClock(simulation: Simulation): Promise<void> {
  const { random } = simulation;
  const node = random.pick(simulation.nodes);
  const roll = random.below(10);
  if (roll < 3) await passTime(simulation, random.pick([60_000, 400_000]));
  else if (roll < 6 && node) node.skew = random.pick(CLOCK_SKEW_MS);
  else {
    await deliverOverdue(simulation, Infinity);
    simulation.skew = random.pick(JUMPS_MS);
  }
}
