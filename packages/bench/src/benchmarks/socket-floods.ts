import { execFile } from "node:child_process";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Terminal } from "@parley/protocol/codes";
import type { Benchmark, ResultRow } from "../benchmark.ts";
import { type BenchmarkPerson, clientHeaders, createPerson } from "../benchmark-person.ts";
import { median } from "../median.ts";
import { startProduct } from "../process/server-process.ts";
import { cpuOf, subfolder } from "./setup.ts";

const FLOODER = fileURLToPath(new URL("../process/socket-flooder.ts", import.meta.url));
const SOCKETS = [1, 4, 40];
const ROUNDS = 3;
const FLOOD_MS = 6_000;
/** The flooder needs a moment to start. */
const BEFORE_MS = 1_500;
const REQUESTS = 150;
/** A person may not ask much faster. */
const PACE_MS = 20;

/** What other people notice when sockets flood the server: the product with its limits, beside flooders and without. */
export const socketFloods: Benchmark = {
  name: "socket-floods",
  async measure(context): Promise<ResultRow[]> {
    const server = await startProduct(subfolder(context, "floods"), { RATE_LIMITS: "on" });
    context.onEnd(() => server.stop());
    const { origin } = server;
    const [person, flooder] = [await createPerson(origin, "person"), await createPerson(origin, "flooder")];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    context.onEnd(() => agent.destroy());
    const measure = () => medianTime(origin, person, agent);
    await measure();
    const times = new Map<number, number[]>([0, ...SOCKETS].map((count) => [count, []]));
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [count, values] of times) {
        const flood = count > 0 ? startFlood(origin, count, flooder) : undefined;
        await sleep(BEFORE_MS);
        const cpu = await cpuOf(server, async () => void values.push(await measure()));
        const told = `p50 ${values.at(-1)?.toFixed(2)} ms, CPU of the server ${(cpu / 1_000).toFixed(0)} ms`;
        context.print(`${count} flooding sockets, round ${round}: ${told} ${(await flood) ?? ""}`);
      }
    }
    const quiet = median(times.get(0) ?? []);
    return SOCKETS.map((count) => {
      const beside = median(times.get(count) ?? []);
      return {
        what: `HTTP p50 of another person, beside ${count} flooding socket${count === 1 ? "" : "s"} : without`,
        product: `${beside.toFixed(2)} ms`,
        reference: `${quiet.toFixed(2)} ms`,
        value: beside / quiet,
        unit: "x",
        bound: "at most",
        limit: 2,
      };
    });
  },
};

/** Starts the flooder as a process of its own. Resolves at its end with what it did. */
async function startFlood(origin: string, sockets: number, { login }: BenchmarkPerson): Promise<string> {
  const args = [FLOODER, origin, String(sockets), String(FLOOD_MS), login.accessToken];
  return (await promisify(execFile)(process.execPath, args, { timeout: 4 * FLOOD_MS })).stdout;
}

/** The median of requests one after the other, in milliseconds. */
async function medianTime(origin: string, { login }: BenchmarkPerson, agent: Agent): Promise<number> {
  const headers = clientHeaders(login, Terminal.WEB);
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      const request = get(`${origin}/api/user/self`, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`));
        answer.on("end", resolve).resume();
      });
      request.on("error", reject);
    });
    times.push(performance.now() - began);
    await sleep(PACE_MS);
  }
  return median(times);
}
