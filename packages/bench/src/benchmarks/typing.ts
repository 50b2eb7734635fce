import { TYPING_INTERVAL_MS } from "@parley/protocol/limits";
import type { Benchmark, ResultRow } from "../benchmark.ts";
import { median } from "../median.ts";
import { cpuOf, setUpProduct, startLoadGenerator } from "./setup.ts";

const PAIRS = 64;
const WARM_UP_MESSAGES = 20_000;
const ROUNDS = 7;
const PACED = { perSecond: 500, seconds: 3 };
/**
 * A text of 20 characters at three or four a second. So many seconds of typing stand behind each message, and one signal begins each
 * interval of them.
 */
const TYPING_SECONDS_EACH = 6;
const SIGNALS_PER_SECOND = (PACED.perSecond * TYPING_SECONDS_EACH * 1_000) / TYPING_INTERVAL_MS;

/** Server CPU that the signals of typing add to 500 messages a second, each of which somebody types. */
export const typing: Benchmark = {
  name: "typing",
  async measure(context): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(context);
    const product = await setUpProduct(context, loadGenerator, PAIRS, ["typing"]);
    const { origin } = product;
    await loadGenerator.callChild("sendClosed", { origin, messages: WARM_UP_MESSAGES, concurrency: PAIRS });
    const cost = { alone: [] as number[], typed: [] as number[] };
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const alone = await cpuOf(product, () => loadGenerator.callChild("sendPaced", { origin, ...PACED }));
      const typed = await cpuOf(product, () =>
        loadGenerator.callChild("sendPacedTyping", {
          origin,
          ...PACED,
          signalsPerSecond: SIGNALS_PER_SECOND,
        }),
      );
      if (round === 0) continue;
      cost.alone.push(alone / PACED.seconds);
      cost.typed.push(typed / PACED.seconds);
      context.print(
        `typing, round ${round} of ${ROUNDS}: ${describe(cost.typed.slice(-1))} against ${describe(cost.alone.slice(-1))}`,
      );
    }
    await loadGenerator.callChild("closeAll");
    const shares = cost.typed.map((typed, round) => typed / (cost.alone[round] ?? NaN) - 1);
    return [
      {
        what: `server CPU of ${SIGNALS_PER_SECOND} signals of typing beside 500 messages a second, part of that of the messages`,
        product: describe(cost.typed),
        reference: `${describe(cost.alone)} (without)`,
        value: 100 * median(shares),
        unit: "%",
        bound: "at most",
        limit: 120,
        aim: 2,
      },
    ];
  },
};

const describe = (costs: readonly number[]): string => `${(median(costs) / 10_000).toFixed(1)} % of a core`;
