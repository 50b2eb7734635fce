/** People with devices who write to each other through nodes, and what must be true of what they wrote. */
import type { ChatKey } from "@parley/core/model/state";
import { firstDifference } from "@parley/core/testing/first-difference";
import type { Prng } from "@parley/core/testing/prng";
import { type TestPerson, befriend, makeGroup, registerPerson } from "@parley/server/testing/test-person";
import * as thisVersion from "./client-device.ts";
import type { ClientDevice, ClientDeviceOptions } from "./client-device.ts";
import type { DeviceKit } from "./previous-version.ts";
import { waitUntil } from "./wait-until.ts";

/** What is wrong with two of the devices, so that it must be reported. */
export type PlantedFlaw = "a device loses frames" | "a message is refused";

/** Who writes, and with what. */
export interface WritersOptions {
  url: string;
  /** A multiple of 4. */
  clients: number;
  /** By which factor their timers run faster. */
  timerSpeed: number;
  /** The version of every second device. Default: this one. */
  previous?: DeviceKit | undefined;
  flaws?: readonly PlantedFlaw[] | undefined;
}

/** A person who writes to a friend and to a group. */
export interface Writer {
  readonly device: ClientDevice;
  /** The version of the device. */
  readonly kit: DeviceKit;
  readonly friend: TestPerson;
  readonly chats: readonly ChatKey[];
}
/** Groups of four people: two pairs of friends. */
export async function startWriters(options: WritersOptions): Promise<Writer[]> {
  const { url, clients, timerSpeed, previous = thisVersion, flaws = [] } = options;
  const writers: Writer[] = [];
  while (writers.length < clients) {
    const people = await Promise.all(Array.from({ length: 4 }, () => registerPerson(url)));
    const [ann, bob, cat, dan] = people as [TestPerson, TestPerson, TestPerson, TestPerson];
    for (const friend of [bob, cat, dan]) await befriend(ann, friend);
    await befriend(cat, dan);
    const groupId = await makeGroup(ann, [bob, cat, dan]);
    for (const [person, friend] of [
      [ann, bob],
      [bob, ann],
      [cat, dan],
      [dan, cat],
    ] as const) {
      const kit = writers.length % 2 === 0 ? thisVersion : previous;
      const flaw = flaws[writers.length];
      const device = await kit.startDevice(person, {
        name: `node ${person.userName}`,
        timerSpeed,
        ...(flaw !== undefined && FLAWS[flaw]),
      });
      writers.push({ device, kit, friend, chats: [`PRIVATE:${friend.id}`, `GROUP:${groupId}`] });
    }
  }
  for (const { device, kit } of writers) await kit.waitUntilIdle(device);
  return writers;
}

const LOSES_EVERY = 10;

const FLAWS: Record<PlantedFlaw, Pick<ClientDeviceOptions, "wrapSockets" | "wrapHttp">> = {
  "a device loses frames": {
    wrapSockets: (sockets) => ({
      open(url, handlers) {
        let count = 0;
        const received = (text: string) => {
          if (!text.includes('"tmpId"') || ++count % LOSES_EVERY > 0) handlers.received(text);
        };
        return sockets.open(url, { ...handlers, received });
      },
    }),
  },
  "a message is refused": {
    wrapHttp(http) {
      let hasRefused = false;
      return {
        async request(request) {
          if (hasRefused || !request.url.endsWith("/send")) return http.request(request);
          hasRefused = true;
          const text = JSON.stringify({ code: 500, message: "refused", data: null });
          return { kind: "answer", status: 200, text, retryAfterSeconds: null };
        },
      };
    },
  },
};

const RECALL_SHARE = 0.05;
const EDIT_SHARE = 0.1;

/** Writes a text in one of the chats and returns it; sometimes changes an older one as well. */
export function write({ device: { client }, chats }: Writer, number: number, random: Prng): string {
  const key = random.pick(chats);
  const text = `text ${number}`;
  const own = (client.getState().chats.byKey[key]?.window.messages ?? []).filter(
    ({ id, selfSend, content }) => id !== null && selfSend && content.startsWith("text "),
  );
  const id = own.length > 0 ? random.pick(own).id : null;
  // Whether a change succeeds depends on the fault. What counts is that all devices show the same afterwards.
  if (id !== null && random.isTrueWithProbability(RECALL_SHARE)) void client.chats.recall(key, id);
  else if (id !== null && random.isTrueWithProbability(EDIT_SHARE))
    void client.chats.editText(key, id, `edit ${number}`);
  const newest = own.at(-1)?.id ?? null;
  if (newest !== null) client.chats.markReadUpTo(key, newest);
  client.chats.sendText(key, text);
  return text;
}

/** How many messages wait, and which have failed. Those are sent again, as people do it. */
export function findUnsent(
  writers: readonly Writer[],
  onFailed: (tmpId: string) => void,
): string | undefined {
  let count = 0;
  for (const { device, chats } of writers) {
    for (const key of chats) {
      for (const { id, sending, tmpId } of device.client.getState().chats.byKey[key]?.window.messages ?? []) {
        if (id !== null) continue;
        count++;
        if (sending !== "failed" || tmpId === null) continue;
        onFailed(tmpId);
        device.client.chats.resend(key, tmpId);
      }
    }
  }
  return count === 0 ? undefined : `${count} messages are not sent`;
}

/** Checks that each device shows the same as a new one of its person. */
export async function compareWithFresh(
  writers: readonly Writer[],
  url: string,
  addViolation: (what: string) => void,
): Promise<void> {
  for (const { device, kit } of writers) {
    const name = `fresh ${freshCount++} ${device.person.userName}`;
    const fresh = await kit.startDevice(device.person, { name, url });
    try {
      await kit.waitUntilIdle(device);
      await kit.waitUntilIdle(fresh);
      await waitUntil(
        "a new device and the old one show the same",
        () => firstDifference(kit.visibleStateOf(fresh), kit.visibleStateOf(device)),
        CATCH_UP_MAX_MS,
      );
    } catch (error) {
      addViolation(`${device.person.userName}: ${error instanceof Error ? error.message : String(error)}`);
    }
    fresh.stop();
  }
}

let freshCount = 0;
/** Generous: the sweep needs 2 s and what it finds must be loaded. */
const CATCH_UP_MAX_MS = 10_000;

/**
 * Every text is in the chat of its writer exactly once, as it was written, edited or recalled. `isInOrder`: nobody has sent one again, so
 * each writer's texts must be in the order of writing.
 */
export function findWronglyStored(
  writers: readonly Writer[],
  written: number,
  { isInOrder }: { isInOrder: boolean },
): string[] {
  const problems: string[] = [];
  let stored = 0;
  for (const { device, chats } of writers) {
    for (const key of chats) {
      const own = (device.client.getState().chats.byKey[key]?.window.messages ?? []).filter(
        ({ selfSend, tmpId }) => selfSend && tmpId !== null,
      );
      stored += own.length;
      const numbers = own.flatMap(({ content }) => /^text (\d+)$/.exec(content)?.[1] ?? []).map(Number);
      const problem = wrongOrderOf(numbers, isInOrder);
      if (problem !== undefined)
        problems.push(`${key} shows the texts of ${device.person.userName} ${problem}`);
    }
  }
  if (stored !== written) problems.push(`${stored} messages of ${written} are stored`);
  return problems;
}

/** The problems of the texts of one writer in one chat, by their numbers in the order of writing. */
export function wrongOrderOf(numbers: readonly number[], isInOrder: boolean): string | undefined {
  if (new Set(numbers).size !== numbers.length) return "twice";
  const isWrong = isInOrder && numbers.some((number, index) => number < (numbers[index - 1] ?? 0));
  return isWrong ? "in another order than that of writing" : undefined;
}
