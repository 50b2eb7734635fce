/** Watches a server while it is fuzzed, and measures it afterwards. */
import { type ResourceUsage, resourceUsageOf } from "../process-inspector.ts";
import type { TestPerson } from "@parley/server/testing/test-person";
import type { ServerProcess } from "@parley/server/testing/server-process";
import type { Sentinels } from "./sentinels.ts";

const GROWTH_MAX = 1.1;

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

/** INV8: one sentence for each resource that has grown too much. */
export function growthOf(before: ResourceUsage, after: ResourceUsage): string[] {
  const grown: string[] = [];
  for (const resource of ["heap", "rss"] as const) {
    if (after[resource] > before[resource] * GROWTH_MAX)
      grown.push(`${resource}: ${before[resource]} became ${after[resource]}`);
  }
  // The sentinels open and close a few connections.
  for (const resource of ["files", "handles"] as const) {
    if (after[resource] > before[resource] + 8)
      grown.push(`${resource}: ${before[resource]} became ${after[resource]}`);
  }
  return grown;
}
