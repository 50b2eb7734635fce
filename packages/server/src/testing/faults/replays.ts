/**
 * Fault K22: what is pushed comes twice, and up to three places early or late, while people write, change, read and take back on two
 * devices each. In the end every device shows what a new one shows.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import type { ChatKey } from "@parley/core/model/state";
import type { SocketHandlers, Sockets } from "@parley/core/runtime/ports";
import { type Chance, createChance } from "@parley/core/testing/prng";
import { Cmd, MessageType } from "@parley/protocol/codes";
import { type Person, befriend, join, makeGroup } from "../people.ts";
import { type CoreDevice, shownBy, startDevice, untilQuiet } from "./core-device.ts";
import type { Report } from "./report.ts";
import { until } from "./until.ts";

export interface ReplaysOptions {
  url: string;
  seed: number;
  worlds: number;
  /** Deeds in a world. */
  deeds: number;
  /** Planted: what is pushed is lost as well, as no bus may. */
  loses?: boolean;
  /** What comes of the last deeds may still be on its way. */
  sameMs?: number;
}

/** Frames that came twice, and that changed places. */
interface Met {
  twice: number;
  moved: number;
}

export async function runReplays({
  url,
  seed,
  worlds,
  deeds,
  loses = false,
  sameMs = 10_000,
}: ReplaysOptions): Promise<Report> {
  const violations: string[] = [];
  const met: Met = { twice: 0, moved: 0 };
  for (let world = 0; world < worlds; world++) {
    const chance = createChance(seed + world);
    const wrong = (what: string) => void violations.push(`seed ${seed + world}: ${what}`);
    try {
      await playWorld({ url, chance, deeds, loses, sameMs, met, name: `K22x${seed + world}`, wrong });
    } catch (error) {
      wrong(error instanceof Error ? error.message : String(error));
    }
  }
  if (met.twice === 0 || met.moved === 0) violations.push("nothing came twice or elsewhere");
  return {
    name: `K22 twice and out of order (seed ${seed})`,
    done: `${worlds} worlds of 3 people with 2 devices each, ${deeds} deeds each; ${met.twice} frames came twice, ${met.moved} at another place`,
    violations,
  };
}

interface World {
  url: string;
  chance: Chance;
  deeds: number;
  loses: boolean;
  sameMs: number;
  met: Met;
  name: string;
  wrong(what: string): void;
}

async function playWorld({ url, chance, deeds, loses, sameMs, met, name, wrong }: World): Promise<void> {
  const people: Person[] = [];
  for (let i = 0; i < 3; i++) people.push(await join(url, { userName: `${"abc"[i]}${name}` }));
  const [ann, bob, cat] = people;
  if (ann === undefined || bob === undefined || cat === undefined) throw new Error("there are three");
  for (const [one, other] of [
    [ann, bob],
    [ann, cat],
    [bob, cat],
  ] as const)
    await befriend(one, other);
  const groupId = await makeGroup(ann, [bob, cat]);
  const between = (sockets: Sockets) => shuffled(sockets, chance, met, loses);
  const devices: CoreDevice[] = [];
  for (const person of people)
    for (const place of ["home", "work"])
      devices.push(await startDevice(person, { name: `${place} ${person.userName}`, between }));
  for (const device of devices) await untilQuiet(device);

  const set = new Set<string>();
  for (let deed = 0; deed < deeds; deed++) {
    doSomething(chance.pick(devices), people, groupId, chance, deed, set);
    // Sometimes the next deed follows at once, sometimes when this one is known.
    if (chance.isLuck(0.5)) await new Promise((resolve) => setTimeout(resolve, chance.below(15)));
  }
  for (const device of devices) {
    await until("all is sent", () => (isSending(device) ? "something is not" : undefined));
  }
  for (const device of devices) discardRefused(device);
  for (const person of people) {
    const fresh = await startDevice(person, { name: `fresh ${person.userName}` });
    await untilQuiet(fresh);
    for (const device of devices.filter((one) => one.person === person)) {
      const where = `${device.person.userName} ${devices.indexOf(device) % 2}`;
      await until("both show the same", () => firstDifference(shownBy(fresh), shownBy(device)), sameMs).catch(
        (error: Error) => wrong(`${where}: ${error.message}`),
      );
    }
    fresh.stop();
  }
  for (const device of devices) device.stop();
}

function doSomething(
  { client, person }: CoreDevice,
  people: readonly Person[],
  groupId: number,
  chance: Chance,
  deed: number,
  set: Set<string>,
): void {
  const others = people.filter((other) => other !== person);
  const key: ChatKey = chance.isLuck(0.5) ? `GROUP:${groupId}` : `PRIVATE:${chance.pick(others).id}`;
  const { chats, contacts } = client;
  const messages = client.getState().chats.byKey[key]?.window.messages ?? [];
  const mine = messages.filter(
    ({ selfSend, id, type }) => selfSend && id !== null && type === MessageType.TEXT,
  );
  const some = messages.filter(({ id }) => id !== null).at(-1 - chance.below(3));
  const own = mine.at(-1 - chance.below(3));
  const roll = chance.below(20);
  if (roll < 9) {
    if (some?.id && chance.isLuck(0.3)) chats.setQuote(key, some.id);
    chats.sendText(key, `deed ${deed}`);
  } else if (roll < 12 && own?.id) void chats.editText(key, own.id, `edited by deed ${deed}`);
  else if (roll < 14 && own?.id) void chats.recall(key, own.id);
  else if (roll < 17) {
    chats.open(key);
    chats.markRead(key);
  } else if (roll < 18 && some?.id) void chats.hide(key, [some.id]);
  else if (roll < 19) {
    if (isFirst(set, `${person.id} pins ${key}`)) void chats.setTop(key, true);
  } else {
    const { id } = chance.pick(others);
    if (isFirst(set, `${person.id} names ${id}`)) void contacts.setRemark(id, `name ${deed}`);
  }
}

/** What was refused, such as an answer to what was just taken back, is its writer's alone. */
function discardRefused({ client }: CoreDevice): void {
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

function isSending({ client }: CoreDevice): boolean {
  return Object.values(client.getState().chats.byKey).some(({ window }) =>
    window.messages.some(({ id, sending }) => id === null && sending !== "failed"),
  );
}

/** Places by which a frame may come late. */
const LATE_MAX = 3;
const PATIENCE_MS = 25;

interface Held {
  text: string;
  /** Comes behind so many frames. */
  behind: number;
}

/** A line whose bus delivers twice and in another order: pushes alone, for a pull is one answer. */
function shuffled(sockets: Sockets, chance: Chance, met: Met, loses: boolean): Sockets {
  return {
    open(url, handlers) {
      const shuffle = new Shuffle(handlers, chance, met, loses);
      const link = sockets.open(url, {
        opened: handlers.opened,
        received: (text) => shuffle.take(text),
        closed(code) {
          shuffle.end();
          handlers.closed(code);
        },
      });
      return {
        send: (text) => link.send(text),
        close(code) {
          shuffle.end();
          link.close(code);
        },
      };
    },
  };
}

class Shuffle {
  readonly #handlers: SocketHandlers;
  readonly #chance: Chance;
  readonly #met: Met;
  readonly #loses: boolean;
  #held: Held[] = [];
  #loading = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(handlers: SocketHandlers, chance: Chance, met: Met, loses: boolean) {
    this.#handlers = handlers;
    this.#chance = chance;
    this.#met = met;
    this.#loses = loses;
  }

  take(text: string): void {
    const { cmd, data } = JSON.parse(text) as { cmd: number; data?: { type?: number; content?: string } };
    const isLoading = data?.type === MessageType.LOADING;
    const isPush = (cmd === Cmd.PRIVATE || cmd === Cmd.GROUP || cmd === Cmd.SYSTEM) && !isLoading;
    if (!isPush || this.#loading > 0) {
      this.#letGo();
      if (isLoading) this.#loading += data?.content === "true" ? 1 : -1;
      if (this.#loading < 0) this.#loading = 0;
      return this.#handlers.received(text);
    }
    if (this.#loses && this.#chance.isLuck(0.3)) return;
    const times = this.#chance.isLuck(0.25) ? 2 : 1;
    if (times === 2) this.#met.twice++;
    for (const held of this.#held) held.behind--;
    for (let time = 0; time < times; time++) {
      const behind = this.#chance.below(LATE_MAX + 1);
      if (behind > 0) this.#met.moved++;
      this.#held.push({ text, behind });
    }
    const due = this.#held.filter(({ behind }) => behind <= 0);
    this.#held = this.#held.filter(({ behind }) => behind > 0);
    for (const held of due) this.#handlers.received(held.text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#letGo(), PATIENCE_MS);
  }

  #letGo(): void {
    for (const { text } of this.#held.splice(0)) this.#handlers.received(text);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#held = [];
  }
}
