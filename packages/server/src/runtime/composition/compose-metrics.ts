import type { OpenedStore } from "../../adapters/store/open-store.ts";
import type { Config } from "../../config/config.ts";
import type { MetricsPage } from "../../http/metrics-page.ts";
import {
  instrumentBlobs,
  instrumentBus,
  instrumentStore,
  instrumentWebPush,
} from "../../metrics/instrumented-adapters.ts";
import type { GaugeSources } from "../../metrics/prometheus-metrics.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Bus } from "../../ports/bus.ts";
import { type Metrics, noMetrics } from "../../ports/metrics.ts";
import type { WebPushSender } from "../../ports/web-push.ts";

/** What Prometheus reads. */
export interface PrometheusParts {
  /** Undefined without metrics. */
  page: MetricsPage | undefined;
  /** Called once, when everything exists that is asked at each reading. */
  observe(sources: GaugeSources): void;
}

/** The metrics of a server, and how its adapters are instrumented. */
interface ComposedMetrics {
  metrics: Metrics;
  instrument: {
    store(store: OpenedStore): OpenedStore;
    bus(bus: Bus): Bus;
    blobs(blobs: Blobs): Blobs;
    webPush(sender: WebPushSender): WebPushSender;
  };
  prometheus: PrometheusParts;
}

/** Without METRICS_PORT and METRICS_TOKEN nothing is measured, and nothing of the library is loaded. */
export async function composeMetrics(config: Config, now: () => number): Promise<ComposedMetrics> {
  if (config.METRICS_PORT === undefined && config.METRICS_TOKEN === undefined) {
    const same = <T>(part: T): T => part;
    return {
      metrics: noMetrics,
      instrument: { store: same, bus: same, blobs: same, webPush: same },
      prometheus: { page: undefined, observe: () => undefined },
    };
  }
  const { createPrometheusMetrics } = await import("../../metrics/prometheus-metrics.ts");
  const { metrics, contentType, text, observe } = createPrometheusMetrics(now);
  return {
    metrics,
    instrument: {
      store: (store) => instrumentStore(store, metrics),
      bus: (bus) => instrumentBus(bus, metrics),
      blobs: (blobs) => instrumentBlobs(blobs, metrics),
      webPush: (sender) => instrumentWebPush(sender, metrics),
    },
    prometheus: { page: { token: config.METRICS_TOKEN, contentType, text }, observe },
  };
}
