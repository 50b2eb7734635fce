import type { Benchmark, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";
import { setUpProduct, startLoadGenerator } from "./setup.ts";

const MANY = 64;
const WARM_UP_MESSAGES = 6_000;
const ROUNDS = 7;
const MESSAGES = { alone: 1_200, together: 6_000 };

/** What sharing a commit is worth: many senders at once against one who waits for each answer, all durable. */
export const groupCommit: Benchmark = {
  name: "group-commit",
  async measure(benchmarkContext): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(benchmarkContext);
    const { origin, callChild } = await setUpProduct(benchmarkContext, loadGenerator, MANY);
    await loadGenerator.callChild("sendClosed", { origin, messages: WARM_UP_MESSAGES, lanes: MANY });

    const alone: number[] = [];
    const together: number[] = [];
    const perCommit: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const one = await loadGenerator.callChild("sendClosed", { origin, messages: MESSAGES.alone, lanes: 1 });
      alone.push(one.messages / one.seconds);
      const before = await callChild("commits");
      const all = await loadGenerator.callChild("sendClosed", {
        origin,
        messages: MESSAGES.together,
        lanes: MANY,
      });
      const after = await callChild("commits");
      together.push(all.messages / all.seconds);
      perCommit.push((after.writes - before.writes) / (after.commits - before.commits));
      benchmarkContext.print(
        `group-commit, round ${round} of ${ROUNDS}: ${Math.round(together.at(-1) ?? 0)}/s against ` +
          `${Math.round(alone.at(-1) ?? 0)}/s, ${(perCommit.at(-1) ?? 0).toFixed(1)} a commit`,
      );
    }
    await loadGenerator.callChild("closeAll");
    return [
      {
        what: `messages a second, ${MANY} senders at once : one after the other`,
        product: `${Math.round(median(together))}/s`,
        reference: `${Math.round(median(alone))}/s (1 sender)`,
        value: medianRatio(together, alone),
        unit: "x",
        bound: "at least",
        limit: 2.5,
      },
      {
        what: `messages a commit, ${MANY} senders at once`,
        product: median(perCommit).toFixed(1),
        reference: "1 (1 sender)",
        value: median(perCommit),
        unit: "",
        bound: "at least",
        limit: 8,
      },
    ];
  },
};
