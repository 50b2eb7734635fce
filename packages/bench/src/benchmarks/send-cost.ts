import type { Benchmark, ResultRow } from "../benchmark.ts";
import { medianRatio } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import { setUpProduct, setUpReference, startLoadGenerator, withProfile } from "./setup.ts";
import { alternate, describeRounds } from "./alternate.ts";

const PAIRS = 64;
const WARM_UP_MESSAGES = 20_000;
const SATURATED = { rounds: 9, messages: 8_000 };
const PACED = { rounds: 7, perSecond: 500, seconds: 3 };

/** Server CPU of a durable 1:1 message that reaches the peer's socket and the sender's second device. */
export const sendCost: Benchmark = {
  name: "send",
  async measure(context): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(context);
    const product = await setUpProduct(context, loadGenerator, PAIRS);
    const reference = await setUpReference(context, loadGenerator, PAIRS);
    for (const server of [product, reference]) {
      await loadGenerator.callChild("sendClosed", {
        origin: server.origin,
        messages: WARM_UP_MESSAGES,
        concurrency: PAIRS,
      });
    }
    const saturate = (server: ServerProcess) =>
      loadGenerator.callChild("sendClosed", {
        origin: server.origin,
        messages: SATURATED.messages,
        concurrency: PAIRS,
      });
    const pace = (server: ServerProcess) =>
      loadGenerator.callChild("sendPaced", {
        origin: server.origin,
        perSecond: PACED.perSecond,
        seconds: PACED.seconds,
      });

    const common = { product, reference, parts: 1 };
    const saturated = await alternate(context, {
      ...common,
      name: "send, saturated",
      rounds: SATURATED.rounds,
      work: saturate,
    });
    const paced = await alternate(context, {
      ...common,
      name: "send, paced",
      rounds: PACED.rounds,
      work: pace,
    });
    if (context.profileFolder !== null) {
      await withProfile(context, product, "send-saturated-product", () => saturate(product));
      await withProfile(context, reference, "send-saturated-reference", () => saturate(reference));
      await withProfile(context, product, "send-paced-product", () => pace(product));
    }
    await loadGenerator.callChild("closeAll");
    return [
      {
        what: "server CPU per durable 1:1 message, saturated",
        ...describeRounds(saturated),
        value: medianRatio(saturated.product.cost, saturated.reference.cost),
        unit: "x",
        bound: "at most",
        limit: 1.5,
        aim: 1.2,
      },
      {
        what: `server CPU per durable 1:1 message, ${PACED.perSecond} a second`,
        ...describeRounds(paced),
        value: medianRatio(paced.product.cost, paced.reference.cost),
        unit: "x",
        bound: "at most",
        limit: 1.7,
        aim: 1.15,
      },
    ];
  },
};
