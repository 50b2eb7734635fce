import type { OpenedStore } from "../adapters/store/open-store.ts";
import type { Config } from "../config.ts";
import type { MetricsPage } from "../http/metrics-page.ts";
import { measureBlobs, measureBus, measureStore, measureWebPush } from "../metrics/measured-parts.ts";
import type { MeasuredParts } from "../metrics/prometheus-metrics.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Bus } from "../ports/bus.ts";
import { type Metrics, noMetrics } from "../ports/metrics.ts";
import type { WebPushSender } from "../ports/web-push.ts";

/** What Prometheus reads. */
export interface PrometheusParts {
  /** Undefined without metrics. */
  page: MetricsPage | undefined;
  /** Called once, when the parts exist that are asked at each reading. */
  observe(parts: MeasuredParts): void;
}

/** The metrics of a server, and how its adapters are measured. */
interface ComposedMetrics {
  metrics: Metrics;
  measured: {
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
      measured: { store: same, bus: same, blobs: same, webPush: same },
      prometheus: { page: undefined, observe: () => undefined },
    };
  }
  const { createPrometheusMetrics } = await import("../metrics/prometheus-metrics.ts");
  const { metrics, contentType, text, observe } = createPrometheusMetrics(now);
  return {
    metrics,
    measured: {
      store: (store) => measureStore(store, metrics),
      bus: (bus) => measureBus(bus, metrics),
      blobs: (blobs) => measureBlobs(blobs, metrics),
      webPush: (sender) => measureWebPush(sender, metrics),
    },
    prometheus: { page: { token: config.METRICS_TOKEN, contentType, text }, observe },
  };
}
