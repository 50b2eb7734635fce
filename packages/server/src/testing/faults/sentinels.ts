/** Two people who talk while a storm blows at their server: each says something once the other has shown what was said before. */
import { ChatType } from "@parley/protocol/codes";
import { SENTINEL } from "@parley/core/testing/edge-case-values";
import { type TestPerson, befriend, registerPerson } from "../test-person.ts";
import { type ClientDevice, startDevice, waitUntilIdle } from "./client-device.ts";
import { pull } from "./scenario.ts";
import { waitUntil } from "./wait-until.ts";

export class Sentinels {
  sentCount = 0;
  readonly #pair: readonly [ClientDevice, ClientDevice];
  /** One exchange at a time. */
  #running: Promise<void> | undefined;

  private constructor(pair: readonly [ClientDevice, ClientDevice]) {
    this.#pair = pair;
  }

  static async create(url: string): Promise<Sentinels> {
    const [a, b] = [await registerPerson(url), await registerPerson(url)];
    await befriend(a, b);
    const pair = [
      await startDevice(a, { name: `bystander ${a.userName}` }),
      await startDevice(b, { name: `bystander ${b.userName}` }),
    ] as const;
    for (const device of pair) await waitUntilIdle(device);
    return new Sentinels(pair);
  }

  get people(): TestPerson[] {
    return this.#pair.map(({ person }) => person);
  }

  /** One says something, the other shows it. Whoever asks meanwhile does not wait. */
  exchange(): Promise<void> {
    if (this.#running !== undefined) return Promise.resolve();
    this.#running = this.#sendAndAwait().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** What they missed, when all is over. */
  async finish(): Promise<string[]> {
    await this.#running;
    const missed: string[] = [];
    const expected = Array.from({ length: this.sentCount }, (_, index) => textOf(index));
    for (const device of this.#pair) {
      const { userName } = device.person;
      const shown = textsOf(device);
      if (shown.join() !== expected.join()) {
        missed.push(
          `${userName} shows ${shown.length} of ${expected.length} messages, or not in their order`,
        );
      }
      if (device.connections.length !== 1)
        missed.push(`${userName} was cut off ${device.connections.length - 1} times`);
      const stored = (await pull(device.person)).private.map(({ content }) => content);
      if (stored.filter((text) => text.startsWith(SENTINEL)).join() !== expected.join()) {
        missed.push(`the store tells ${userName} something else`);
      }
      device.stop();
    }
    return missed;
  }

  async #sendAndAwait(): Promise<void> {
    const [from, to] = this.sentCount % 2 === 0 ? this.#pair : [this.#pair[1], this.#pair[0]];
    const text = textOf(this.sentCount++);
    from.client.chats.sendText(`${ChatType.PRIVATE}:${to.person.id}`, text);
    await waitUntil(`bystanders show ${text}`, () =>
      [from, to].every((device) => textsOf(device).at(-1) === text) ? undefined : "not shown",
    );
  }
}

function textOf(index: number): string {
  return `${SENTINEL} of a bystander ${index}`;
}

function textsOf({ client, person }: ClientDevice): string[] {
  const chats = Object.values(client.getState().chats.byKey).filter(({ type }) => type === ChatType.PRIVATE);
  return chats
    .flatMap(({ window }) => window.messages)
    .filter(({ id, content }) => id !== null && content.startsWith(SENTINEL) && person.id > 0)
    .map(({ content }) => content);
}
