import type { Bench } from "../figure.ts";
import { median } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import type { Sent } from "../swarm/load.ts";
import { cpuOf } from "./rig.ts";

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
  work(server: ServerProcess): Promise<Sent>;
}

/** Product and reference in turn, round by round. */
export async function alternate(bench: Bench, plan: Plan): Promise<BothSides> {
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
      let sent: Sent = { messages: 0, seconds: 0 };
      const cpu = await cpuOf(server, async () => {
        sent = await work(server);
      });
      side.cost.push(cpu / sent.messages / parts);
      side.perSecond.push(sent.messages / sent.seconds);
    }
    const us = (side: Rounds) => inWords(side.cost.at(-1) ?? NaN);
    bench.say(`${name}, round ${round} of ${rounds}: ${us(result.product)} against ${us(result.reference)}`);
  }
  return result;
}

function inWords(cost: number): string {
  return `${cost.toFixed(cost < 10 ? 2 : 1)} us`;
}

/** What stands in the table beside the ratio. */
export function told(sides: BothSides): { product: string; reference: string } {
  const words = (side: Rounds) => `${inWords(median(side.cost))} (${Math.round(median(side.perSecond))}/s)`;
  return { product: words(sides.product), reference: words(sides.reference) };
}
