import type { Benchmark, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";
import { cpuOf, setUpGroup, startLoadGenerator } from "./setup.ts";

const SOCKETS = 200;
const ROUNDS = 9;
const MESSAGES = 100;

/** Server CPU of a durable reaction that reaches a group, against that of a text in the same group. */
export const groupReactions: Benchmark = {
  name: "reactions",
  async measure(context): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(context);
    context.print(`reactions: creating a group of ${SOCKETS + 1} people`);
    const product = await setUpGroup(context, loadGenerator, 1, SOCKETS);
    const { origin } = product;
    const cost = { texts: [] as number[], reactions: [] as number[] };
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const texts = await cpuOf(product, () =>
        loadGenerator.callChild("sendGroup", { origin, messages: MESSAGES, concurrency: 1 }),
      );
      const count = await loadGenerator.callChild("prepareReactions", { origin });
      const reactions = await cpuOf(product, () => loadGenerator.callChild("react", { origin, key: "👍" }));
      if (round === 0) continue;
      cost.texts.push(texts / MESSAGES / SOCKETS);
      cost.reactions.push(reactions / count / SOCKETS);
      context.print(
        `reactions, round ${round} of ${ROUNDS}: ${describe(cost.reactions.slice(-1))} against ${describe(cost.texts.slice(-1))}`,
      );
    }
    await loadGenerator.callChild("closeAll");
    return [
      {
        what: `server CPU per delivery of a reaction to ${SOCKETS} sockets, against that of a text`,
        product: describe(cost.reactions),
        reference: describe(cost.texts),
        value: medianRatio(cost.reactions, cost.texts),
        unit: "x",
        bound: "at most",
        limit: 1.3,
        aim: 1,
      },
    ];
  },
};

const describe = (costs: readonly number[]): string => `${median(costs).toFixed(2)} us`;
