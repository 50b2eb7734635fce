import type { Logger } from "pino";
import { type OpenedStore, openStore } from "../../adapters/store/open-store.ts";
import { type Config, dataFolder, storeUrl } from "../../config/config.ts";
import { filesFolder } from "../../config/data-folders.ts";
import { ownInstallationOf } from "../../config/own-installation.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { PassFailpoint } from "../../ports/failpoints.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { WebPushSender } from "../../ports/web-push.ts";
import { type PrometheusParts, composeMetrics } from "./compose-metrics.ts";
import { type InProcessServices, type SharedServices, openSharedServices } from "./open-shared-services.ts";
import { openBlobs } from "./open-blobs.ts";
import { webPushSenderOf } from "./settings.ts";

/** What a server is built on. */
export interface Adapters extends SharedServices {
  store: OpenedStore;
  blobs: Blobs;
  /** Null if web push is off. */
  webPush: WebPushSender | null;
  metrics: Metrics;
  prometheus: PrometheusParts;
}

/** How the adapters are opened. */
export interface AdapterOptions {
  hasOtherNodes: boolean;
  shared: InProcessServices | undefined;
  onFatal(error: Error): void;
  failpoint: PassFailpoint;
  /** Epoch milliseconds. */
  now(): number;
  log: Logger;
}

/** Opens the adapters of a server, which are instrumented if it has metrics. `close` closes all of them. If one fails, none stays open. */
export async function openAdapters(config: Config, options: AdapterOptions): Promise<Adapters> {
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (let last = opened.pop(); last !== undefined; last = opened.pop()) await last.close();
  };
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  try {
    return { ...(await openEach(config, options, keep)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEach(
  config: Config,
  options: AdapterOptions,
  keep: <Part extends { close(): Promise<void> }>(part: Part) => Part,
): Promise<Adapters> {
  const { hasOtherNodes, shared, onFatal, failpoint, now, log } = options;
  const { metrics, instrument, prometheus } = await composeMetrics(config, now);
  const servers = hasOtherNodes ? "several" : "one";
  const own = ownInstallationOf(config);
  const { expected } = own;
  const store = instrument.store(
    keep(await openStore({ url: storeUrl(config), onFatal, servers, expected, failpoint, metrics })),
  );
  own.note(store.installation);
  if (config.NEW_DATABASE)
    log.warn("NEW_DATABASE is on, so any database is taken: turn it off for the next start");
  const nodes = keep(await openSharedServices(config, store.epoch, log, metrics, shared));
  const dataDir = dataFolder(config);
  const blobs = instrument.blobs(keep(await openBlobs(config, filesFolder(dataDir), now(), log)));
  const webPush = await webPushSenderOf(config, store);
  return {
    ...nodes,
    bus: instrument.bus(nodes.bus),
    store,
    blobs,
    webPush: webPush && instrument.webPush(webPush),
    metrics,
    prometheus,
  };
}
