/** What is looked at while a storm blows at a server, and afterwards. */
import { type Held, heldBy } from "../inspect.ts";
import type { Person } from "../people.ts";
import type { ServerProcess } from "../server-process.ts";
import type { Bystanders } from "./bystanders.ts";

const GROWTH_MAX = 1.1;

/** What a log may not tell of somebody. */
export function secretsOf({ tokens }: Person): string[] {
  const parts = (token: string) => token.split(".").slice(1);
  return [...parts(tokens.accessToken), ...parts(tokens.refreshToken)];
}

/** What is held once all that the storm has left is gone. */
export async function heldQuietly(server: ServerProcess, bystanders: Bystanders): Promise<Held> {
  await aliveAt(server, bystanders.talk());
  let held = await heldBy(server);
  let before: Held;
  do {
    before = held;
    await new Promise((resolve) => setTimeout(resolve, 100));
    held = await heldBy(server);
  } while (held.heap < before.heap * 0.98 || held.files < before.files);
  return held;
}

/** Fails as soon as the server is gone. */
export async function aliveAt<T>(server: ServerProcess, work: Promise<T>): Promise<T> {
  const gone = server.exited.then((code): never => {
    throw new Error(`the server ended with ${code}`);
  });
  return Promise.race([work, gone]);
}

/** INV8: what is held more than before, and may not be. */
export function growthOf(before: Held, after: Held): string[] {
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
