import { ChatType, JoinMode } from "@parley/protocol/codes";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { Device } from "./device.ts";
import type { Fault } from "./fake-server/faults.ts";
import { flushNetwork, runEvent, pendingEvents } from "./network.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";
import { compareAll } from "./scenario-checks.ts";
import { chatsOf, performScenarioAction, pickMessage } from "./scenario-actions.ts";
import { performSavedScenarioAction } from "./scenario-saved-actions.ts";
import { performFileScenarioAction } from "./scenario-file-actions.ts";
import { performGroupScenarioAction } from "./scenario-group-actions.ts";
import { createScenario, type Occurrence, type Scenario } from "./scenario-state.ts";
import { pickSendOptions } from "./scenario-send-options.ts";

/**
 * What a device of a scenario does beside the one thing of each step, and how likely it is in a step. A new action belongs here: each one
 * changes the course of a scenario, so a recorded seed names those that it was recorded with, and a new one changes no recorded seed.
 * `perform` returns what to count; an action that changes a shared value of the change feed is counted by that.
 */
const ADDED_ACTIONS = {
  files: { probability: 0.15, perform: performFileScenarioAction },
  saved: { probability: 0.1, perform: performSavedScenarioAction },
} satisfies Record<
  string,
  { probability: number; perform(scenario: Scenario, device: Device): Occurrence | null }
>;
/** The name of an added action. */
export type AddedAction = keyof typeof ADDED_ACTIONS;

/** All added actions. */
export const ALL_ADDED = Object.keys(ADDED_ACTIONS) as AddedAction[];
/** All but sending files, which makes a scenario long. */
export const USUALLY_ADDED = ALL_ADDED.filter((name) => name !== "files");

/**
 * The result of a scenario: a few users with one or two devices each, and a server, with a network in between that the scenario controls.
 * A seed decides everything. The users send, read, make friends, and lose sockets, answers and tabs. At the end all devices go online and
 * everything is delivered. Then all devices of a user must equal each other and a new device that has pulled everything.
 */
export interface ScenarioResult {
  /** The differences found; empty when everything is right. */
  readonly problems: readonly string[];
  /** How often each kind of occurrence happened. */
  readonly counts: Readonly<Record<Occurrence, number>>;
}

/** Which scenario to run. */
export interface ScenarioOptions {
  readonly seed: number;
  readonly faults?: readonly Fault[];
  /** Random steps before the end. */
  readonly steps?: number | undefined;
  /** What happens beside the steps. Left out: all but files. */
  readonly added?: readonly AddedAction[] | undefined;
}

const STEPS = 120;

/** Runs a scenario to its end and checks it. */
export async function runScenario({
  seed,
  faults = [],
  steps = STEPS,
  added = USUALLY_ADDED,
}: ScenarioOptions): Promise<ScenarioResult> {
  const scenario = createScenario(seed, faults);
  await logInAll(scenario);
  await createFirstGroup(scenario);
  for (let i = 0; i < steps; i++) {
    for (const name of added) {
      const { probability, perform } = ADDED_ACTIONS[name];
      if (!scenario.random.isTrueWithProbability(probability)) continue;
      const occurrence = perform(scenario, scenario.random.pick(scenario.devices));
      if (occurrence !== null) scenario.counts[occurrence]++;
    }
    await runStep(scenario);
  }
  await rejoinGroup(scenario);
  await settleNetwork(scenario);
  const problems = await compareAll(scenario);
  for (const device of scenario.devices) device.stop();
  return { problems, counts: scenario.counts };
}

/** Logs in all devices and makes most users friends. */
async function logInAll(scenario: Scenario): Promise<void> {
  const { devices, server, clock, random } = scenario;
  for (const device of devices) {
    const started = device.start();
    await flushNetwork(devices, server, clock);
    await started;
  }
  await flushNetwork(devices, server, clock);
  for (const device of devices) {
    for (const user of server.tables.users) {
      if (user.userName !== device.userName && random.isTrueWithProbability(0.6))
        void device.client.contacts.apply(user.id, "hi");
    }
    await flushNetwork(devices, server, clock);
    for (const request of device.client.getState().contacts.requests) {
      if (random.isTrueWithProbability(0.8)) void device.client.contacts.approve(request.id);
    }
    await flushNetwork(devices, server, clock);
  }
}

/** Most scenarios begin with a group; some of these groups require approval to join. */
async function createFirstGroup({ devices, server, clock, random }: Scenario): Promise<void> {
  const [first] = devices;
  if (first === undefined || random.isTrueWithProbability(0.2)) return;
  const isOpen = random.isTrueWithProbability(0.5);
  const memberIds = first.client
    .getState()
    .contacts.order.filter(() => isOpen || random.isTrueWithProbability(0.3));
  void first.client.groups.create({ name: "first", memberIds, isFindable: true });
  await flushNetwork(devices, server, clock);
  if (isOpen) return;
  void first.client.groups.setRights(1, { joinMode: JoinMode.APPROVAL });
  await flushNetwork(devices, server, clock);
}

/** A user leaves a group, others edit and recall messages, and the user joins again. This is too rare in random steps. */
async function rejoinGroup(scenario: Scenario): Promise<void> {
  const { devices, server, clock, random } = scenario;
  const deliverAll = async () => {
    await flushNetwork(devices, server, clock);
  };
  await deliverAll();
  const leavingDevice = random.pick(devices);
  const [id] = leavingDevice.client.getState().groups.order;
  if (id === undefined) return;
  void leavingDevice.client.groups.quit(id);
  await deliverAll();
  for (const { client, userName } of devices) {
    if (userName === leavingDevice.userName) continue;
    const { messages } = client.getState().chats.byKey[`GROUP:${id}`]?.window ?? { messages: [] };
    for (const message of messages.filter(
      ({ selfSend, id: messageId }) => selfSend && messageId !== null && random.isTrueWithProbability(0.5),
    )) {
      if (random.isTrueWithProbability(0.5)) void client.chats.recall(`GROUP:${id}`, message.id ?? 0);
      else void client.chats.editText(`GROUP:${id}`, message.id ?? 0, `text ${++scenario.textCount}`);
    }
  }
  await deliverAll();
  void leavingDevice.client.groups.apply(id, "again");
  await deliverAll();
  for (const { client } of devices)
    for (const request of client.getState().groups.requests) void client.groups.approve(request.id);
  await deliverAll();
}

async function runStep(scenario: Scenario): Promise<void> {
  const { random, clock, devices, server } = scenario;
  const roll = random.below(100);
  const device = random.pick(devices);
  if (roll < 42) runNetworkEvents(scenario, 1 + random.below(6));
  else if (roll < 48) performGroupAction(scenario, device);
  else if (roll < 52) scrollOrJump(scenario, device);
  else if (roll < 63) sendTexts(scenario, device);
  else if (roll < 72) performMessageAction(scenario, device);
  else if (roll < 77) markMessageRead(scenario, device);
  else if (roll < 82) changeFriendship(scenario, device);
  else if (roll < 87) clock.advance(random.pick([50, 600, 1_000, 5_000, 15_000, 16_000, 400_000]));
  else if (roll < 92) dropConnection(scenario, device);
  else if (roll < 95) failRequest(scenario, device);
  else if (roll < 97) await reload(scenario, device);
  else if (roll < 98) device.isOffline = !device.isOffline;
  else if (roll < 99) device.client.session.reconnectNow();
  else await flushNetwork(devices, server, clock);
  clock.runSoon();
  await flushMicrotasks();
}

function runNetworkEvents(scenario: Scenario, count: number): void {
  const { random, devices, server, counts } = scenario;
  for (let i = 0; i < count; i++) {
    const events = pendingEvents(devices, server);
    if (events.length === 0) return;
    const event = random.pick(events);
    if (
      event.kind === "down" &&
      scenario.faults.includes("dropsPushes") &&
      random.isTrueWithProbability(0.05)
    ) {
      event.socket.down.shift();
      continue;
    }
    if (event.kind === "request" && isRepeatedSend(scenario, event.exchange.request.body))
      counts.sendRepeated++;
    runEvent(event, server, 1 + random.below(4));
  }
}

function isRepeatedSend(scenario: Scenario, body: unknown): boolean {
  if (typeof body !== "string" || !body.includes('"tmpId"')) return false;
  const { tmpId } = JSON.parse(body) as { tmpId?: string };
  const { messages, groups } = scenario.server.tables;
  return [...messages, ...groups.messages].some((row) => row.tmpId === tmpId);
}

function sendTexts(scenario: Scenario, device: Device): void {
  const keys = chatsOf(device).filter((key) => !key.startsWith("SYSTEM:"));
  if (keys.length === 0) return;
  const key = scenario.random.pick(keys);
  const { chats } = device.client.getState();
  if (scenario.random.isTrueWithProbability(0.3)) device.client.chats.open(key);
  if (Object.values(chats.loading).some(Boolean)) scenario.counts.sentDuringPull++;
  const count = scenario.random.isTrueWithProbability(0.1) ? 10 : 1 + scenario.random.below(2);
  for (let i = 0; i < count; i++) {
    const text = `text ${++scenario.textCount}`;
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) {
      const [sendOptions, occurrences] = pickSendOptions(
        target.targetId,
        scenario.random,
        scenario.server.tables,
      );
      for (const name of occurrences) scenario.counts[name]++;
      device.client.chats.sendText(key, text, sendOptions);
    } else device.client.chats.sendText(key, text);
    scenario.counts.sent++;
  }
}

function performMessageAction(scenario: Scenario, device: Device): void {
  const occurrence = performScenarioAction(device, scenario.random, () => `text ${++scenario.textCount}`);
  if (occurrence !== null) scenario.counts[occurrence]++;
}

function performGroupAction(scenario: Scenario, device: Device): void {
  const occurrence = performGroupScenarioAction(
    device,
    scenario.server,
    scenario.random,
    scenario.watchedMemberLists,
  );
  if (occurrence !== null) scenario.counts[occurrence]++;
}

/** Jumps or scrolls while other events may be lost or late. */
function scrollOrJump(scenario: Scenario, device: Device): void {
  const { random, counts } = scenario;
  const { chats } = device.client;
  const { openKey, byKey } = device.client.getState().chats;
  const candidates = Object.values(byKey).filter((chat) => chat.type !== ChatType.SYSTEM);
  if (candidates.length === 0) return;
  const { key } =
    candidates.find((chat) => chat.key === openKey && random.isTrueWithProbability(0.7)) ??
    random.pick(candidates);
  const roll = random.below(10);
  const { tables } = scenario.server;
  const rows: readonly { id: number; sendTime: number }[] = key.startsWith("GROUP:")
    ? tables.groups.messages
    : tables.messages;
  if (roll < 5 && rows.length > 0) {
    const { id, sendTime } = random.pick(rows);
    counts.jumped++;
    void chats.jumpTo(key, random.isTrueWithProbability(0.7) ? { id } : { time: sendTime }).then(() => {
      if (device.client.getState().chats.byKey[key]?.window.hasNewer === true) counts.showedPast++;
    });
  } else if (roll < 7) chats.loadOlder(key);
  else if (roll < 9) chats.loadNewer(key);
  else chats.showNewest(key);
}

function markMessageRead(scenario: Scenario, device: Device): void {
  const picked = pickMessage(device, scenario.random);
  if (picked === null) return;
  const { key, message } = picked;
  device.client.chats.markReadUpTo(key, message.system?.seqNo ?? message.id ?? 0);
  scenario.counts.read++;
}

function changeFriendship(scenario: Scenario, device: Device): void {
  const { contacts } = device.client;
  const { requests, order } = device.client.getState().contacts;
  const others = scenario.server.tables.users.filter((user) => user.userName !== device.userName);
  const roll = scenario.random.below(10);
  const request = requests[0];
  if (roll < 4) void contacts.apply(scenario.random.pick(others).id, "please");
  else if (roll < 7 && request !== undefined) void contacts.approve(request.id);
  else if (roll < 8 && request !== undefined) void contacts.reject(request.id);
  else if (roll < 9 && request !== undefined) void contacts.recall(request.id);
  else if (order.length > 0 && scenario.random.isTrueWithProbability(0.3))
    void contacts.remove(scenario.random.pick(order));
  scenario.counts.friendshipChanged++;
}

function dropConnection(scenario: Scenario, device: Device): void {
  scenario.counts.dropped++;
  const isPulling = Object.values(device.client.getState().chats.loading).some(Boolean);
  if (isPulling) scenario.counts.droppedInPull++;
  device.dropConnection();
}

/** Loses a request on its way to the server or its answer on the way back. */
function failRequest(scenario: Scenario, device: Device): void {
  const { waiting } = device.ports.http;
  if (waiting.length === 0) return;
  const exchange = scenario.random.pick(waiting);
  if (exchange.answer === null && scenario.random.isTrueWithProbability(0.5)) {
    exchange.answer = scenario.server.handle(exchange.request);
    scenario.counts.lostAnswer++;
  } else scenario.counts.lostRequest++;
  device.ports.http.finish(exchange, { kind: "failed", reason: "offline" });
}

async function reload(scenario: Scenario, device: Device): Promise<void> {
  const wipe = scenario.random.isTrueWithProbability(0.25);
  scenario.counts[wipe ? "wiped" : "reloaded"]++;
  if (device.client.getState().session.kind !== "active") return;
  const loading = device.reload({ wipe });
  await flushMicrotasks();
  if (!wipe) return;
  // After a wipe the user has to log in, so deliver that before the next step.
  await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  await loading;
}

const REST_STEPS = 16;
const REST_STEP_MS = 5_000;

/** Ends all faults: sockets work, time passes for reconnects, retries and presence, and everything is delivered. */
async function settleNetwork(scenario: Scenario): Promise<void> {
  const { devices, server, clock } = scenario;
  for (const device of devices) device.isOffline = false;
  for (let i = 0; i < REST_STEPS; i++) {
    await flushNetwork(devices, server, clock);
    clock.advance(REST_STEP_MS);
  }
  await flushNetwork(devices, server, clock);
  scenario.counts.gap += server.gapCount;
}
