/** Two people who talk while a storm blows at their server: each says something once the other has shown what was said before. */
import { ChatType } from "@parley/protocol/codes";
import { CANARY } from "@parley/core/testing/odd-values";
import { type Person, befriend, join } from "../people.ts";
import { type CoreDevice, startDevice, untilQuiet } from "./core-device.ts";
import { pull } from "./scene.ts";
import { until } from "./until.ts";

export class Bystanders {
  said = 0;
  readonly #pair: readonly [CoreDevice, CoreDevice];
  /** One exchange at a time. */
  #talking: Promise<void> | undefined;

  private constructor(pair: readonly [CoreDevice, CoreDevice]) {
    this.#pair = pair;
  }

  static async meet(url: string): Promise<Bystanders> {
    const [a, b] = [await join(url), await join(url)];
    await befriend(a, b);
    const pair = [
      await startDevice(a, { name: `bystander ${a.userName}` }),
      await startDevice(b, { name: `bystander ${b.userName}` }),
    ] as const;
    for (const device of pair) await untilQuiet(device);
    return new Bystanders(pair);
  }

  get people(): Person[] {
    return this.#pair.map(({ person }) => person);
  }

  /** One says something, the other shows it. Whoever asks meanwhile does not wait. */
  talk(): Promise<void> {
    if (this.#talking !== undefined) return Promise.resolve();
    this.#talking = this.#exchange().finally(() => (this.#talking = undefined));
    return this.#talking;
  }

  /** What they missed, when all is over. */
  async part(): Promise<string[]> {
    await this.#talking;
    const missed: string[] = [];
    const expected = Array.from({ length: this.said }, (_, index) => textOf(index));
    for (const device of this.#pair) {
      const { userName } = device.person;
      const shown = textsOf(device);
      if (shown.join() !== expected.join()) {
        missed.push(
          `${userName} shows ${shown.length} of ${expected.length} messages, or not in their order`,
        );
      }
      if (device.wires.length !== 1) missed.push(`${userName} was cut off ${device.wires.length - 1} times`);
      const stored = (await pull(device.person)).private.map(({ content }) => content);
      if (stored.filter((text) => text.startsWith(CANARY)).join() !== expected.join()) {
        missed.push(`the store tells ${userName} something else`);
      }
      device.stop();
    }
    return missed;
  }

  async #exchange(): Promise<void> {
    const [from, to] = this.said % 2 === 0 ? this.#pair : [this.#pair[1], this.#pair[0]];
    const text = textOf(this.said++);
    from.client.chats.sendText(`${ChatType.PRIVATE}:${to.person.id}`, text);
    await until(`bystanders show ${text}`, () =>
      [from, to].every((device) => textsOf(device).at(-1) === text) ? undefined : "not shown",
    );
  }
}

function textOf(index: number): string {
  return `${CANARY} of a bystander ${index}`;
}

function textsOf({ client, person }: CoreDevice): string[] {
  const chats = Object.values(client.getState().chats.byKey).filter(({ type }) => type === ChatType.PRIVATE);
  return chats
    .flatMap(({ window }) => window.messages)
    .filter(({ id, content }) => id !== null && content.startsWith(CANARY) && person.id > 0)
    .map(({ content }) => content);
}
