/** Watches a server while it is fuzzed, and measures it afterwards. */
import { type ResourceUsage, resourceUsageOf } from "../process-inspector.ts";
import type { TestPerson } from "@parley/server/testing/test-person";
import type { ServerProcess } from "@parley/server/testing/server-process";
import type { Sentinels } from "./sentinels.ts";

/** The parts of a person's tokens that the log must not contain. */
export function secretsOf({ tokens }: TestPerson): string[] {
  const parts = (token: string) => token.split(".").slice(1);
  return [...parts(tokens.accessToken), ...parts(tokens.refreshToken)];
}

/** The memory and handles of the server after they have stopped to shrink. */
export async function usageAtRest(server: ServerProcess, sentinels: Sentinels): Promise<ResourceUsage> {
  await failIfServerDies(server, sentinels.exchange());
  let usage = await resourceUsageOf(server);
  let before: ResourceUsage;
  do {
    before = usage;
    await new Promise((resolve) => setTimeout(resolve, 100));
    usage = await resourceUsageOf(server);
  } while (usage.heap < before.heap * 0.98 || usage.files < before.files);
  return usage;
}

/** The result of the work, or an error as soon as the server ends. */
export async function failIfServerDies<T>(server: ServerProcess, work: Promise<T>): Promise<T> {
  const death = server.exited.then((code): never => {
    throw new Error(`the server ended with ${code}`);
  });
  return Promise.race([work, death]);
}

/** The memory and handles of a server before and after a load, and one sentence for each that grows without an end. */
export interface Growth {
  readonly before: ResourceUsage;
  readonly after: ResourceUsage;
  readonly violations: readonly string[];
}

/**
 * INV8: puts a load on a server and measures what it uses before and after. A leak grows with every load; caches and fragments of native
 * memory grow once, and more on a busy machine. So a resource that has grown too much is measured again, after the same load, and reported
 * if it has grown too much each time.
 */
export async function growthUnder(
  load: () => Promise<void>,
  measure: () => Promise<ResourceUsage>,
): Promise<Growth> {
  const first = await measure();
  let before = first;
  for (let round = 1; ; round++) {
    await load();
    const after = await measure();
    const violations = RESOURCES.flatMap((resource) =>
      after[resource] - before[resource] > allowedGrowth(resource, first)
        ? [`${resource}: ${before[resource]} became ${after[resource]}`]
        : [],
    );
    if (violations.length === 0 || round === ROUNDS_MAX) return { before: first, after, violations };
    before = after;
  }
}

const RESOURCES = ["heap", "rss", "files", "handles"] as const;
const ROUNDS_MAX = 3;
/** Of the memory before the first load. */
const MEMORY_GROWTH_MAX = 0.1;
/** The sentinels open and close a few connections. */
const HANDLES_GROWTH_MAX = 8;

function allowedGrowth(resource: (typeof RESOURCES)[number], first: ResourceUsage): number {
  const isMemory = resource === "heap" || resource === "rss";
  return isMemory ? first[resource] * MEMORY_GROWTH_MAX : HANDLES_GROWTH_MAX;
}
