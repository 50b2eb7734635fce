import type { Benchmark, ResultRow } from "../benchmark.ts";
import { createFriendPairs } from "../friend-pairs.ts";
import { median, medianRatio } from "../median.ts";
import { type ServerProcess, startProduct } from "../process/server-process.ts";
import { cpuOf, startLoadGenerator, subfolder, withProfile } from "./setup.ts";

const PAIRS = 64;
const WARM_UP_MESSAGES = 20_000;
/** Short rounds and many of them, because what is looked for is smaller than the noise of one. */
const SATURATED = { rounds: 40, messages: 5_000 };
const PROFILED_MESSAGES = 20_000;
const TOKEN = "token-of-the-benchmark";
/** As often as Prometheus usually asks. */
const SCRAPE_MS = 15_000;

/** What counting costs: the product with metrics that Prometheus reads, and without. */
export const metrics: Benchmark = {
  name: "metrics",
  async measure(context): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(context);
    const start = async (name: string, environment: Record<string, string>) => {
      const server = await startProduct(subfolder(context, name), environment);
      context.onEnd(() => server.stop());
      const pairs = await createFriendPairs(server.origin, PAIRS);
      await loadGenerator.callChild("open", { origin: server.origin, pairs });
      return server;
    };
    const counting = await start("counting", { METRICS_TOKEN: TOKEN });
    const silent = await start("silent", {});
    const send = ({ origin }: ServerProcess, messages = SATURATED.messages) =>
      loadGenerator.callChild("sendClosed", { origin, messages, concurrency: PAIRS });
    for (const server of [counting, silent]) await send(server, WARM_UP_MESSAGES);
    const scrapes = setInterval(() => void scrape(counting), SCRAPE_MS);
    context.onEnd(() => clearInterval(scrapes));
    const costs = { counting: [] as number[], silent: [] as number[] };
    for (let round = 1; round <= SATURATED.rounds; round++) {
      // At the same time, because what else the machine does changes the cost of a message by more than counting does.
      let ofSilent = 0;
      const ofCounting = await cpuOf(counting, async () => {
        ofSilent = await cpuOf(silent, () => Promise.all([send(counting), send(silent)]));
      });
      const [on, off] = [ofCounting / SATURATED.messages, ofSilent / SATURATED.messages];
      costs.counting.push(on);
      costs.silent.push(off);
      context.print(
        `metrics on and off, round ${round} of ${SATURATED.rounds}: ${describe([on])} against ${describe([off])}`,
      );
    }
    if (context.profileFolder !== null) {
      await withProfile(context, counting, "metrics-on", () => send(counting, PROFILED_MESSAGES));
      await withProfile(context, silent, "metrics-off", () => send(silent, PROFILED_MESSAGES));
    }
    await loadGenerator.callChild("closeAll");
    return [
      {
        what: "server CPU per durable 1:1 message, saturated, with metrics : without",
        product: describe(costs.counting),
        reference: describe(costs.silent),
        value: medianRatio(costs.counting, costs.silent),
        unit: "x",
        bound: "at most",
        limit: 1.04,
        aim: 1.02,
      },
    ];
  },
};

function describe(costs: readonly number[]): string {
  return `${median(costs).toFixed(1)} us`;
}

async function scrape({ origin }: ServerProcess): Promise<void> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  await answer.text();
}
