import type { BenchmarkContext } from "../benchmark.ts";
import { median } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import type { SendResult } from "../load/private-load.ts";
import { cpuOf } from "./setup.ts";

interface Rounds {
  /** CPU microseconds of the server for one message, or for one delivery. */
  cost: number[];
  /** Messages. */
  perSecond: number[];
}

export interface BothSides {
  product: Rounds;
  reference: Rounds;
}

interface Plan {
  /** For whoever waits. */
  name: string;
  rounds: number;
  product: ServerProcess;
  reference: ServerProcess;
  /** Into how many parts the cost of a message is divided: how many sockets it goes to; 1: the message as a whole. */
  parts: number;
  work(server: ServerProcess): Promise<SendResult>;
}

/** Product and reference in turn, round by round. */
export async function alternate(benchmarkContext: BenchmarkContext, plan: Plan): Promise<BothSides> {
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
    benchmarkContext.print(
      `${name}, round ${round} of ${rounds}: ${us(result.product)} against ${us(result.reference)}`,
    );
  }
  return result;
}

function describeCost(cost: number): string {
  return `${cost.toFixed(cost < 10 ? 2 : 1)} us`;
}

/** What stands in the table beside the ratio. */
export function describeRounds(sides: BothSides): { product: string; reference: string } {
  const words = (side: Rounds) =>
    `${describeCost(median(side.cost))} (${Math.round(median(side.perSecond))}/s)`;
  return { product: words(sides.product), reference: words(sides.reference) };
}
