/**
 * Fault K22: pushes arrive twice and up to three positions late, while people with two devices each send, edit, read and recall. In the
 * end every device must show the same as a new one.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import type { ChatKey } from "@parley/core/model/state";
import type { SocketHandlers, Sockets } from "@parley/core/ports";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { Cmd, MessageType } from "@parley/protocol/codes";
import { type TestPerson, befriend, registerPerson, makeGroup } from "@parley/server/testing/test-person";
import { type ClientDevice, visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How many scenarios. */
export interface ReorderedFramesOptions {
  url: string;
  seed: number;
  scenarios: number;
  /** Actions in each scenario. */
  actions: number;
  /** A planted fault: pushes are lost as well. */
  losesFrames?: boolean;
  /** How long to wait for the effects of the last actions. */
  convergeWithinMs?: number;
}

/** How many frames were duplicated and delayed. */
interface ShuffleCounts {
  duplicated: number;
  delayed: number;
}

/** Runs the battery. */
export async function runReorderedFrames({
  url,
  seed,
  scenarios,
  actions,
  losesFrames = false,
  convergeWithinMs = 10_000,
}: ReorderedFramesOptions): Promise<Report> {
  const violations: string[] = [];
  const counts: ShuffleCounts = { duplicated: 0, delayed: 0 };
  for (let scenario = 0; scenario < scenarios; scenario++) {
    const random = createPrng(seed + scenario);
    const addViolation = (what: string) => void violations.push(`seed ${seed + scenario}: ${what}`);
    try {
      await runScenario({
        url,
        random,
        actions,
        losesFrames,
        convergeWithinMs,
        counts,
        name: `K22x${seed + scenario}`,
        addViolation,
      });
    } catch (error) {
      addViolation(error instanceof Error ? error.message : String(error));
    }
  }
  if (counts.duplicated === 0 || counts.delayed === 0)
    violations.push("no frame was duplicated, or none was reordered");
  return {
    name: `K22 frames duplicated and reordered (seed ${seed})`,
    done: `${scenarios} scenarios, 3 people with 2 devices, ${actions} actions; ${counts.duplicated} frames twice, ${counts.delayed} out of order`,
    violations,
  };
}

interface ScenarioRun {
  url: string;
  random: Prng;
  actions: number;
  losesFrames: boolean;
  convergeWithinMs: number;
  counts: ShuffleCounts;
  name: string;
  addViolation(what: string): void;
}

async function runScenario({
  url,
  random,
  actions,
  losesFrames,
  convergeWithinMs,
  counts,
  name,
  addViolation,
}: ScenarioRun): Promise<void> {
  const people: TestPerson[] = [];
  for (let i = 0; i < 3; i++) people.push(await registerPerson(url, { userName: `${"abc"[i]}${name}` }));
  const [ann, bob, cat] = people;
  if (ann === undefined || bob === undefined || cat === undefined)
    throw new Error("three people were expected");
  for (const [one, other] of [
    [ann, bob],
    [ann, cat],
    [bob, cat],
  ] as const)
    await befriend(one, other);
  const groupId = await makeGroup(ann, [bob, cat]);
  const wrapSockets = (sockets: Sockets) => withShuffledFrames(sockets, random, counts, losesFrames);
  const devices: ClientDevice[] = [];
  for (const person of people)
    for (const location of ["home", "work"])
      devices.push(await startDevice(person, { name: `${location} ${person.userName}`, wrapSockets }));
  for (const device of devices) await waitUntilIdle(device);

  const changedSettings = new Set<string>();
  for (let action = 0; action < actions; action++) {
    performRandomAction(random.pick(devices), people, groupId, random, action, changedSettings);
    // Sometimes the next action follows at once, sometimes after the pushes of this one.
    if (random.isTrueWithProbability(0.5))
      await new Promise((resolve) => setTimeout(resolve, random.below(15)));
  }
  for (const device of devices) {
    await waitUntil("all messages are sent", () => (isSending(device) ? "a message is not sent" : undefined));
  }
  for (const device of devices) discardRefused(device);
  for (const person of people) {
    const fresh = await startDevice(person, { name: `fresh ${person.userName}` });
    await waitUntilIdle(fresh);
    for (const device of devices.filter((one) => one.person === person)) {
      const where = `${device.person.userName} ${devices.indexOf(device) % 2}`;
      await waitUntil(
        "a new device and the old one show the same",
        () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
        convergeWithinMs,
      ).catch((error: Error) => addViolation(`${where}: ${error.message}`));
    }
    fresh.stop();
  }
  for (const device of devices) device.stop();
}

function performRandomAction(
  { client, person }: ClientDevice,
  people: readonly TestPerson[],
  groupId: number,
  random: Prng,
  action: number,
  changedSettings: Set<string>,
): void {
  const others = people.filter((other) => other !== person);
  const key: ChatKey = random.isTrueWithProbability(0.5)
    ? `GROUP:${groupId}`
    : `PRIVATE:${random.pick(others).id}`;
  const { chats, contacts } = client;
  const messages = client.getState().chats.byKey[key]?.window.messages ?? [];
  const mine = messages.filter(
    ({ selfSend, id, type }) => selfSend && id !== null && type === MessageType.TEXT,
  );
  const recent = messages.filter(({ id }) => id !== null).at(-1 - random.below(3));
  const ownRecent = mine.at(-1 - random.below(3));
  const roll = random.below(20);
  if (roll < 9) {
    if (recent?.id && random.isTrueWithProbability(0.3)) chats.setQuote(key, recent.id);
    chats.sendText(key, `action ${action}`);
  } else if (roll < 12 && ownRecent?.id) void chats.editText(key, ownRecent.id, `edited by action ${action}`);
  else if (roll < 14 && ownRecent?.id) void chats.recall(key, ownRecent.id);
  else if (roll < 17) {
    chats.open(key);
    chats.markRead(key);
  } else if (roll < 18 && recent?.id) void chats.deleteForMe(key, [recent.id]);
  else if (roll < 19) {
    if (isFirst(changedSettings, `${person.id} pins ${key}`)) void chats.setTop(key, true);
  } else {
    const { id } = random.pick(others);
    if (isFirst(changedSettings, `${person.id} names ${id}`)) void contacts.setRemark(id, `name ${action}`);
  }
}

/** Discards refused messages, such as a quote of a recalled message: only the writing device shows them. */
function discardRefused({ client }: ClientDevice): void {
  for (const { key, window } of Object.values(client.getState().chats.byKey)) {
    for (const { tmpId, sending } of window.messages)
      if (sending === "failed" && tmpId !== null) client.chats.discard(key, tmpId);
  }
}

/** Whether this setting is changed for the first time. After two reordered changes, only the next login would show the newest. */
function isFirst(changedSettings: Set<string>, name: string): boolean {
  const isNew = !changedSettings.has(name);
  changedSettings.add(name);
  return isNew;
}

function isSending({ client }: ClientDevice): boolean {
  return Object.values(client.getState().chats.byKey).some(({ window }) =>
    window.messages.some(({ id, sending }) => id === null && sending !== "failed"),
  );
}

/** By how many positions a frame may be delayed. */
const DELAY_FRAMES_MAX = 3;
const HOLD_MAX_MS = 25;

interface HeldFrame {
  text: string;
  /** How many other frames must be delivered before it. */
  framesAhead: number;
}

/** Wraps sockets so that pushes are duplicated and reordered. Pulls are not, because the server sends them in order. */
function withShuffledFrames(
  sockets: Sockets,
  random: Prng,
  counts: ShuffleCounts,
  losesFrames: boolean,
): Sockets {
  return {
    open(url, handlers) {
      const shuffler = new FrameShuffler(handlers, random, counts, losesFrames);
      const upstream = sockets.open(url, {
        opened: handlers.opened,
        received: (text) => shuffler.receive(text),
        closed(code) {
          shuffler.end();
          handlers.closed(code);
        },
      });
      return {
        send: (text) => upstream.send(text),
        close(code) {
          shuffler.end();
          upstream.close(code);
        },
      };
    },
  };
}

class FrameShuffler {
  readonly #handlers: SocketHandlers;
  readonly #random: Prng;
  readonly #counts: ShuffleCounts;
  readonly #losesFrames: boolean;
  #held: HeldFrame[] = [];
  #openPulls = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(handlers: SocketHandlers, random: Prng, counts: ShuffleCounts, losesFrames: boolean) {
    this.#handlers = handlers;
    this.#random = random;
    this.#counts = counts;
    this.#losesFrames = losesFrames;
  }

  receive(text: string): void {
    const { cmd, data } = JSON.parse(text) as { cmd: number; data?: { type?: number; content?: string } };
    const isLoading = data?.type === MessageType.LOADING;
    const isPush = (cmd === Cmd.PRIVATE || cmd === Cmd.GROUP || cmd === Cmd.SYSTEM) && !isLoading;
    if (!isPush || this.#openPulls > 0) {
      this.#release();
      if (isLoading) this.#openPulls += data?.content === "true" ? 1 : -1;
      if (this.#openPulls < 0) this.#openPulls = 0;
      return this.#handlers.received(text);
    }
    if (this.#losesFrames && this.#random.isTrueWithProbability(0.3)) return;
    const times = this.#random.isTrueWithProbability(0.25) ? 2 : 1;
    if (times === 2) this.#counts.duplicated++;
    for (const held of this.#held) held.framesAhead--;
    for (let time = 0; time < times; time++) {
      const framesAhead = this.#random.below(DELAY_FRAMES_MAX + 1);
      if (framesAhead > 0) this.#counts.delayed++;
      this.#held.push({ text, framesAhead });
    }
    const due = this.#held.filter(({ framesAhead }) => framesAhead <= 0);
    this.#held = this.#held.filter(({ framesAhead }) => framesAhead > 0);
    for (const held of due) this.#handlers.received(held.text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#release(), HOLD_MAX_MS);
  }

  #release(): void {
    for (const { text } of this.#held.splice(0)) this.#handlers.received(text);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#held = [];
  }
}
