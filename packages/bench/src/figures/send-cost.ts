import type { Figure, Row } from "../figure.ts";
import { medianRatio } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import { openProduct, openReference, openSwarm, profiled } from "./rig.ts";
import { alternate, told } from "./rounds.ts";

const PAIRS = 64;
const WARM_UP_MESSAGES = 20_000;
const SATURATED = { rounds: 9, messages: 8_000 };
const PACED = { rounds: 7, perSecond: 500, seconds: 3 };

/** CPU of the server for a durable 1:1 message that reaches the peer's socket and the sender's second device. */
export const sendCost: Figure = {
  name: "send",
  async measure(bench): Promise<Row[]> {
    const swarm = openSwarm(bench);
    const product = await openProduct(bench, swarm, PAIRS);
    const reference = await openReference(bench, swarm, PAIRS);
    for (const server of [product, reference]) {
      await swarm.ask("sendClosed", { origin: server.origin, messages: WARM_UP_MESSAGES, lanes: PAIRS });
    }
    const saturate = (server: ServerProcess) =>
      swarm.ask("sendClosed", { origin: server.origin, messages: SATURATED.messages, lanes: PAIRS });
    const pace = (server: ServerProcess) =>
      swarm.ask("sendPaced", { origin: server.origin, perSecond: PACED.perSecond, seconds: PACED.seconds });

    const common = { product, reference, parts: 1 };
    const saturated = await alternate(bench, {
      ...common,
      name: "send, saturated",
      rounds: SATURATED.rounds,
      work: saturate,
    });
    const paced = await alternate(bench, {
      ...common,
      name: "send, paced",
      rounds: PACED.rounds,
      work: pace,
    });
    if (bench.profileFolder !== null) {
      await profiled(bench, product, "send-saturated-product", () => saturate(product));
      await profiled(bench, reference, "send-saturated-reference", () => saturate(reference));
      await profiled(bench, product, "send-paced-product", () => pace(product));
    }
    await swarm.ask("closeAll");
    return [
      {
        what: "server CPU a durable 1:1 message, saturated",
        ...told(saturated),
        value: medianRatio(saturated.product.cost, saturated.reference.cost),
        unit: "x",
        bound: "at most",
        limit: 1.7,
        aim: 1.35,
      },
      {
        what: `server CPU a durable 1:1 message, ${PACED.perSecond} a second`,
        ...told(paced),
        value: medianRatio(paced.product.cost, paced.reference.cost),
        unit: "x",
        bound: "at most",
        limit: 2,
        aim: 1.6,
      },
    ];
  },
};
