import type { Benchmark, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";
import { setUpProduct, startLoadGenerator } from "./setup.ts";

const MANY = 64;
const WARM_UP_MESSAGES = 6_000;
const ROUNDS = 7;
const MESSAGES = { alone: 1_200, together: 6_000 };

/** The benefit of group commit: many senders at once, compared with one that waits for each answer. All messages are durable. */
export const groupCommit: Benchmark = {
  name: "group-commit",
  async measure(context): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(context);
    const { origin, callChild } = await setUpProduct(context, loadGenerator, MANY);
    await loadGenerator.callChild("sendClosed", { origin, messages: WARM_UP_MESSAGES, concurrency: MANY });

    const alone: number[] = [];
    const together: number[] = [];
    const perCommit: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const single = await loadGenerator.callChild("sendClosed", {
        origin,
        messages: MESSAGES.alone,
        concurrency: 1,
      });
      alone.push(single.messages / single.seconds);
      const before = await callChild("commits");
      const all = await loadGenerator.callChild("sendClosed", {
        origin,
        messages: MESSAGES.together,
        concurrency: MANY,
      });
      const after = await callChild("commits");
      together.push(all.messages / all.seconds);
      perCommit.push((after.writes - before.writes) / (after.commits - before.commits));
      context.print(
        `group-commit, round ${round} of ${ROUNDS}: ${Math.round(together.at(-1) ?? 0)}/s against ` +
          `${Math.round(alone.at(-1) ?? 0)}/s, ${(perCommit.at(-1) ?? 0).toFixed(1)} a commit`,
      );
    }
    await loadGenerator.callChild("closeAll");
    return [
      {
        what: `messages per second, ${MANY} senders at once : one after the other`,
        product: `${Math.round(median(together))}/s`,
        reference: `${Math.round(median(alone))}/s (1 sender)`,
        value: medianRatio(together, alone),
        unit: "x",
        bound: "at least",
        limit: 2.5,
      },
      {
        what: `messages per commit, ${MANY} senders at once`,
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
