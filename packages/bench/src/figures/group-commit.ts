import type { Figure, Row } from "../figure.ts";
import { median, medianRatio } from "../median.ts";
import { openProduct, openSwarm } from "./rig.ts";

const MANY = 64;
const WARM_UP_MESSAGES = 6_000;
const ROUNDS = 7;
const MESSAGES = { alone: 1_200, together: 6_000 };

/** What sharing a commit is worth: many senders at once against one who waits for each answer, all durable. */
export const groupCommit: Figure = {
  name: "group-commit",
  async measure(bench): Promise<Row[]> {
    const swarm = openSwarm(bench);
    const { origin, ask } = await openProduct(bench, swarm, MANY);
    await swarm.ask("sendClosed", { origin, messages: WARM_UP_MESSAGES, lanes: MANY });

    const alone: number[] = [];
    const together: number[] = [];
    const perCommit: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const one = await swarm.ask("sendClosed", { origin, messages: MESSAGES.alone, lanes: 1 });
      alone.push(one.messages / one.seconds);
      const before = await ask("commits");
      const all = await swarm.ask("sendClosed", { origin, messages: MESSAGES.together, lanes: MANY });
      const after = await ask("commits");
      together.push(all.messages / all.seconds);
      perCommit.push((after.writes - before.writes) / (after.commits - before.commits));
      bench.say(
        `group-commit, round ${round} of ${ROUNDS}: ${Math.round(together.at(-1) ?? 0)}/s against ` +
          `${Math.round(alone.at(-1) ?? 0)}/s, ${(perCommit.at(-1) ?? 0).toFixed(1)} a commit`,
      );
    }
    await swarm.ask("closeAll");
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
