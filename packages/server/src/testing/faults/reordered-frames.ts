/**
 * Fault K22: what is pushed comes twice, and up to three places early or late, while people write, change, read and take back on two
 * devices each. In the end every device shows what a new one shows.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import type { ChatKey } from "@parley/core/model/state";
import type { SocketHandlers, Sockets } from "@parley/core/ports";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { Cmd, MessageType } from "@parley/protocol/codes";
import { type TestPerson, befriend, registerPerson, makeGroup } from "../test-person.ts";
import { type ClientDevice, visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

export interface ReorderedFramesOptions {
  url: string;
  seed: number;
  scenarios: number;
  /** Deeds in a world. */
  actions: number;
  /** Planted: what is pushed is lost as well, as no bus may. */
  losesFrames?: boolean;
  /** What comes of the last deeds may still be on its way. */
  sameMs?: number;
}

/** Frames that came twice, and that changed places. */
interface Observed {
  twice: number;
  moved: number;
}

export async function runReorderedFrames({
  url,
  seed,
  scenarios,
  actions,
  losesFrames = false,
  sameMs = 10_000,
}: ReorderedFramesOptions): Promise<Report> {
  const violations: string[] = [];
  const observed: Observed = { twice: 0, moved: 0 };
  for (let scenario = 0; scenario < scenarios; scenario++) {
    const random = createPrng(seed + scenario);
    const wrong = (what: string) => void violations.push(`seed ${seed + scenario}: ${what}`);
    try {
      await playScenario({
        url,
        random,
        actions,
        loses: losesFrames,
        sameMs,
        observed,
        name: `K22x${seed + scenario}`,
        wrong,
      });
    } catch (error) {
      wrong(error instanceof Error ? error.message : String(error));
    }
  }
  if (observed.twice === 0 || observed.moved === 0) violations.push("nothing came twice or elsewhere");
  return {
    name: `K22 twice and out of order (seed ${seed})`,
    done: `${scenarios} worlds of 3 people with 2 devices each, ${actions} deeds each; ${observed.twice} frames came twice, ${observed.moved} at another place`,
    violations,
  };
}

interface ReplayScenario {
  url: string;
  random: Prng;
  actions: number;
  loses: boolean;
  sameMs: number;
  observed: Observed;
  name: string;
  wrong(what: string): void;
}

async function playScenario({
  url,
  random,
  actions,
  loses,
  sameMs,
  observed,
  name,
  wrong,
}: ReplayScenario): Promise<void> {
  const people: TestPerson[] = [];
  for (let i = 0; i < 3; i++) people.push(await registerPerson(url, { userName: `${"abc"[i]}${name}` }));
  const [ann, bob, cat] = people;
  if (ann === undefined || bob === undefined || cat === undefined) throw new Error("there are three");
  for (const [one, other] of [
    [ann, bob],
    [ann, cat],
    [bob, cat],
  ] as const)
    await befriend(one, other);
  const groupId = await makeGroup(ann, [bob, cat]);
  const wrapSockets = (sockets: Sockets) => withShuffledFrames(sockets, random, observed, loses);
  const devices: ClientDevice[] = [];
  for (const person of people)
    for (const place of ["home", "work"])
      devices.push(await startDevice(person, { name: `${place} ${person.userName}`, wrapSockets }));
  for (const device of devices) await waitUntilIdle(device);

  const set = new Set<string>();
  for (let deed = 0; deed < actions; deed++) {
    performRandomAction(random.pick(devices), people, groupId, random, deed, set);
    // Sometimes the next deed follows at once, sometimes when this one is known.
    if (random.isTrueWithProbability(0.5))
      await new Promise((resolve) => setTimeout(resolve, random.below(15)));
  }
  for (const device of devices) {
    await waitUntil("all is sent", () => (isSending(device) ? "something is not" : undefined));
  }
  for (const device of devices) discardRefused(device);
  for (const person of people) {
    const fresh = await startDevice(person, { name: `fresh ${person.userName}` });
    await waitUntilIdle(fresh);
    for (const device of devices.filter((one) => one.person === person)) {
      const where = `${device.person.userName} ${devices.indexOf(device) % 2}`;
      await waitUntil(
        "both show the same",
        () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
        sameMs,
      ).catch((error: Error) => wrong(`${where}: ${error.message}`));
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
  set: Set<string>,
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
  const some = messages.filter(({ id }) => id !== null).at(-1 - random.below(3));
  const own = mine.at(-1 - random.below(3));
  const roll = random.below(20);
  if (roll < 9) {
    if (some?.id && random.isTrueWithProbability(0.3)) chats.setQuote(key, some.id);
    chats.sendText(key, `deed ${action}`);
  } else if (roll < 12 && own?.id) void chats.editText(key, own.id, `edited by deed ${action}`);
  else if (roll < 14 && own?.id) void chats.recall(key, own.id);
  else if (roll < 17) {
    chats.open(key);
    chats.markRead(key);
  } else if (roll < 18 && some?.id) void chats.deleteForMe(key, [some.id]);
  else if (roll < 19) {
    if (isFirst(set, `${person.id} pins ${key}`)) void chats.setTop(key, true);
  } else {
    const { id } = random.pick(others);
    if (isFirst(set, `${person.id} names ${id}`)) void contacts.setRemark(id, `name ${action}`);
  }
}

/** What was refused, such as an answer to what was just taken back, is its writer's alone. */
function discardRefused({ client }: ClientDevice): void {
  for (const { key, window } of Object.values(client.getState().chats.byKey)) {
    for (const { tmpId, sending } of window.messages)
      if (sending === "failed" && tmpId !== null) client.chats.discard(key, tmpId);
  }
}

/** A setting is set once: the newest of two that change places is known at the next login alone. */
function isFirst(set: Set<string>, name: string): boolean {
  const isNew = !set.has(name);
  set.add(name);
  return isNew;
}

function isSending({ client }: ClientDevice): boolean {
  return Object.values(client.getState().chats.byKey).some(({ window }) =>
    window.messages.some(({ id, sending }) => id === null && sending !== "failed"),
  );
}

/** Places by which a frame may come late. */
const DELAY_PLACES_MAX = 3;
const HOLD_MAX_MS = 25;

interface HeldFrame {
  text: string;
  /** Comes behind so many frames. */
  behind: number;
}

/** A line whose bus delivers twice and in another order: pushes alone, for a pull is one answer. */
function withShuffledFrames(sockets: Sockets, random: Prng, observed: Observed, loses: boolean): Sockets {
  return {
    open(url, handlers) {
      const frameShuffler = new FrameShuffler(handlers, random, observed, loses);
      const upstream = sockets.open(url, {
        opened: handlers.opened,
        received: (text) => frameShuffler.receive(text),
        closed(code) {
          frameShuffler.end();
          handlers.closed(code);
        },
      });
      return {
        send: (text) => upstream.send(text),
        close(code) {
          frameShuffler.end();
          upstream.close(code);
        },
      };
    },
  };
}

class FrameShuffler {
  readonly #handlers: SocketHandlers;
  readonly #random: Prng;
  readonly #observed: Observed;
  readonly #loses: boolean;
  #held: HeldFrame[] = [];
  #loading = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(handlers: SocketHandlers, random: Prng, observed: Observed, loses: boolean) {
    this.#handlers = handlers;
    this.#random = random;
    this.#observed = observed;
    this.#loses = loses;
  }

  receive(text: string): void {
    const { cmd, data } = JSON.parse(text) as { cmd: number; data?: { type?: number; content?: string } };
    const isLoading = data?.type === MessageType.LOADING;
    const isPush = (cmd === Cmd.PRIVATE || cmd === Cmd.GROUP || cmd === Cmd.SYSTEM) && !isLoading;
    if (!isPush || this.#loading > 0) {
      this.#release();
      if (isLoading) this.#loading += data?.content === "true" ? 1 : -1;
      if (this.#loading < 0) this.#loading = 0;
      return this.#handlers.received(text);
    }
    if (this.#loses && this.#random.isTrueWithProbability(0.3)) return;
    const times = this.#random.isTrueWithProbability(0.25) ? 2 : 1;
    if (times === 2) this.#observed.twice++;
    for (const held of this.#held) held.behind--;
    for (let time = 0; time < times; time++) {
      const behind = this.#random.below(DELAY_PLACES_MAX + 1);
      if (behind > 0) this.#observed.moved++;
      this.#held.push({ text, behind });
    }
    const due = this.#held.filter(({ behind }) => behind <= 0);
    this.#held = this.#held.filter(({ behind }) => behind > 0);
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
