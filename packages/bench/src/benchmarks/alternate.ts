import type { BenchmarkContext } from "../benchmark.ts";
import { median } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import type { SendResult } from "../load/private-load.ts";
import { cpuOf } from "./setup.ts";

interface Rounds {
  /** CPU microseconds of the server per message or per delivery. */
  cost: number[];
  /** Messages per second. */
  perSecond: number[];
}

/** The rounds of product and reference. */
export interface BothSides {
  product: Rounds;
  reference: Rounds;
}

interface Plan {
  /** Shown in the progress output. */
  name: string;
  rounds: number;
  product: ServerProcess;
  reference: ServerProcess;
  /** Number of sockets by which the cost of a message is divided; 1 for the cost of the whole message. */
  parts: number;
  work(server: ServerProcess): Promise<SendResult>;
}

/** Measures product and reference in turn, round by round. */
export async function alternate(context: BenchmarkContext, plan: Plan): Promise<BothSides> {
  const { name, rounds, product, reference, parts, work } = plan;
  const result: BothSides = {
    product: { cost: [], perSecond: [] },
    reference: { cost: [], perSecond: [] },
  };
  for (let round = 1; round <= rounds; round++) {
    for (const [side, server] of [
      [result.product, product],
      [result.reference, reference],
    ] as const) {
      let sendResult: SendResult = { messages: 0, seconds: 0 };
      const cpu = await cpuOf(server, async () => {
        sendResult = await work(server);
      });
      side.cost.push(cpu / sendResult.messages / parts);
      side.perSecond.push(sendResult.messages / sendResult.seconds);
    }
    const us = (side: Rounds) => describeCost(side.cost.at(-1) ?? NaN);
    context.print(
      `${name}, round ${round} of ${rounds}: ${us(result.product)} against ${us(result.reference)}`,
    );
  }
  return result;
}

function describeCost(cost: number): string {
  return `${cost.toFixed(cost < 10 ? 2 : 1)} us`;
}

/** The texts beside the ratio in the table. */
export function describeRounds(sides: BothSides): { product: string; reference: string } {
  const describeSide = (side: Rounds) =>
    `${describeCost(median(side.cost))} (${Math.round(median(side.perSecond))}/s)`;
  return { product: describeSide(sides.product), reference: describeSide(sides.reference) };
}
