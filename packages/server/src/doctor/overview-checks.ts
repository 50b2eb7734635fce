/** The quick checks of the overview for administrators. What takes longer is in `doctor.ts`. */
import { type Finding, finding } from "@parley/protocol/findings";
import type { OverviewCheck } from "../modules/administration/overview.ts";
import type { Config } from "../config/config.ts";
import { askRedis } from "./doctor.ts";
import { reasonOf } from "../config/environment.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Store } from "../ports/store.ts";

/** A check of the storage of files writes a file, so its result is kept for this time. */
const KEEP_MS = 30_000;

export interface OverviewChecksDeps {
  config: Config;
  store: Pick<Store, "isReady">;
  /** Undefined: they are not checked. */
  blobs: Pick<Blobs, "probe"> | undefined;
  isHttps: boolean;
  now(): number;
}

/** The checks that make sense with this configuration. */
export function overviewChecksOf({
  config,
  store,
  blobs,
  isHttps,
  now,
}: OverviewChecksDeps): OverviewCheck[] {
  const checks: OverviewCheck[] = [
    {
      name: "database",
      run: async () => ((await store.isReady()) ? [] : [finding("databaseUnusable")]),
    },
    {
      name: "https",
      run: async () => (isHttps ? [] : [finding("noHttps")]),
    },
  ];
  if (blobs !== undefined) {
    const run = async () => {
      try {
        await blobs.probe();
        return [];
      } catch (error) {
        return [finding("filesUnusable", { reason: reasonOf(error) })];
      }
    };
    checks.push({ name: "files", run: kept(run, now) });
  }
  if (config.REDIS_URL !== undefined) checks.push({ name: "redis", run: kept(() => askRedis(config), now) });
  return checks;
}

function kept(run: () => Promise<Finding[]>, now: () => number): () => Promise<Finding[]> {
  let last: { at: number; result: Promise<Finding[]> } | undefined;
  return () => {
    const at = now();
    if (last === undefined || at - last.at >= KEEP_MS) last = { at, result: run() };
    return last.result;
  };
}
