/** What is looked at while a storm blows at a server, and afterwards. */
import { type ResourceUsage, resourceUsageOf } from "../process-inspector.ts";
import type { TestPerson } from "../test-person.ts";
import type { ServerProcess } from "../server-process.ts";
import type { Sentinels } from "./sentinels.ts";

const GROWTH_MAX = 1.1;

/** What a log may not tell of somebody. */
export function secretsOf({ tokens }: TestPerson): string[] {
  const parts = (token: string) => token.split(".").slice(1);
  return [...parts(tokens.accessToken), ...parts(tokens.refreshToken)];
}

/** What is held once all that the storm has left is gone. */
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

/** Fails as soon as the server is gone. */
export async function failIfServerDies<T>(server: ServerProcess, work: Promise<T>): Promise<T> {
  const gone = server.exited.then((code): never => {
    throw new Error(`the server ended with ${code}`);
  });
  return Promise.race([work, gone]);
}

/** INV8: what is held more than before, and may not be. */
export function growthOf(before: ResourceUsage, after: ResourceUsage): string[] {
  const grown: string[] = [];
  for (const what of ["heap", "rss"] as const) {
    if (after[what] > before[what] * GROWTH_MAX) grown.push(`${what}: ${before[what]} became ${after[what]}`);
  }
  // A few connections of the bystanders come and go.
  for (const what of ["files", "handles"] as const) {
    if (after[what] > before[what] + 8) grown.push(`${what}: ${before[what]} became ${after[what]}`);
  }
  return grown;
}
