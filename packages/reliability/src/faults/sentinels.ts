/** Two people who write to each other while a server is fuzzed. Each sends a message after the other device shows the last one. */
import { ChatType } from "@parley/protocol/codes";
import { SENTINEL } from "@parley/core/testing/edge-case-values";
import { type TestPerson, befriend, registerPerson } from "@parley/server/testing/test-person";
import { type ClientDevice, startDevice, waitUntilIdle } from "./client-device.ts";
import { pull } from "./scenario.ts";
import { waitUntil } from "./wait-until.ts";

/** The two people and their devices. */
export class Sentinels {
  sentCount = 0;
  readonly #pair: readonly [ClientDevice, ClientDevice];
  /** The current exchange, because there is only one at a time. */
  #running: Promise<void> | undefined;

  private constructor(pair: readonly [ClientDevice, ClientDevice]) {
    this.#pair = pair;
  }

  static async create(url: string): Promise<Sentinels> {
    const [a, b] = [await registerPerson(url), await registerPerson(url)];
    await befriend(a, b);
    const pair = [
      await startDevice(a, { name: `sentinel ${a.userName}` }),
      await startDevice(b, { name: `sentinel ${b.userName}` }),
    ] as const;
    for (const device of pair) await waitUntilIdle(device);
    return new Sentinels(pair);
  }

  get people(): TestPerson[] {
    return this.#pair.map(({ person }) => person);
  }

  /** Sends one message and waits until both devices show it. Returns at once if an exchange is running. */
  exchange(): Promise<void> {
    if (this.#running !== undefined) return Promise.resolve();
    this.#running = this.#sendAndAwait().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Stops the devices and returns what they have missed. */
  async finish(): Promise<string[]> {
    await this.#running;
    const missed: string[] = [];
    const expected = Array.from({ length: this.sentCount }, (_, index) => textOf(index));
    for (const device of this.#pair) {
      const { userName } = device.person;
      const shown = textsOf(device);
      if (shown.join() !== expected.join()) {
        missed.push(`${userName} shows ${shown.length} of ${expected.length} messages, or in another order`);
      }
      if (device.connections.length !== 1)
        missed.push(`${userName} was disconnected ${device.connections.length - 1} times`);
      const stored = (await pull(device.person)).private.map(({ content }) => content);
      if (stored.filter((text) => text.startsWith(SENTINEL)).join() !== expected.join()) {
        missed.push(`the stored messages of ${userName} are different`);
      }
      device.stop();
    }
    return missed;
  }

  async #sendAndAwait(): Promise<void> {
    const [from, to] = this.sentCount % 2 === 0 ? this.#pair : [this.#pair[1], this.#pair[0]];
    const text = textOf(this.sentCount++);
    from.client.chats.sendText(`${ChatType.PRIVATE}:${to.person.id}`, text);
    await waitUntil(`both sentinels show ${text}`, () =>
      [from, to].every((device) => textsOf(device).at(-1) === text) ? undefined : "not shown",
    );
  }
}

function textOf(index: number): string {
  return `${SENTINEL} of a sentinel ${index}`;
}

function textsOf({ client, person }: ClientDevice): string[] {
  const chats = Object.values(client.getState().chats.byKey).filter(({ type }) => type === ChatType.PRIVATE);
  return chats
    .flatMap(({ window }) => window.messages)
    .filter(({ id, content }) => id !== null && content.startsWith(SENTINEL) && person.id > 0)
    .map(({ content }) => content);
}
