import type { Bench, Figure, Row } from "../figure.ts";
import { median, medianRatio } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import type { Sent } from "../swarm/load.ts";
import { cpuOf, openProduct, openReference, openSwarm, profiled } from "./rig.ts";

const PAIRS = 64;
const WARM_UP_MESSAGES = 20_000;
const SATURATED = { rounds: 9, messages: 8_000 };
const PACED = { rounds: 7, perSecond: 500, seconds: 3 };

interface Rounds {
  /** CPU microseconds a message. */
  cost: number[];
  perSecond: number[];
}

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

    const saturated = await alternate(bench, "saturated", SATURATED.rounds, product, reference, saturate);
    const paced = await alternate(bench, "paced", PACED.rounds, product, reference, pace);
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

async function alternate(
  bench: Bench,
  name: string,
  rounds: number,
  product: ServerProcess,
  reference: ServerProcess,
  work: (server: ServerProcess) => Promise<Sent>,
): Promise<{ product: Rounds; reference: Rounds }> {
  const result = {
    product: { cost: [], perSecond: [] } as Rounds,
    reference: { cost: [], perSecond: [] } as Rounds,
  };
  for (let round = 1; round <= rounds; round++) {
    for (const [side, server] of [
      [result.product, product],
      [result.reference, reference],
    ] as const) {
      let sent: Sent = { messages: 0, seconds: 0 };
      const cpu = await cpuOf(server, async () => {
        sent = await work(server);
      });
      side.cost.push(cpu / sent.messages);
      side.perSecond.push(sent.messages / sent.seconds);
    }
    const us = (side: Rounds) => `${(side.cost.at(-1) ?? NaN).toFixed(1)} us`;
    bench.say(
      `send, ${name}, round ${round} of ${rounds}: ${us(result.product)} against ${us(result.reference)}`,
    );
  }
  return result;
}

function told(sides: { product: Rounds; reference: Rounds }): { product: string; reference: string } {
  const words = (side: Rounds) =>
    `${median(side.cost).toFixed(1)} us (${Math.round(median(side.perSecond))}/s)`;
  return { product: words(sides.product), reference: words(sides.reference) };
}
