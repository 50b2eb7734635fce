/**
 * What Prometheus wants to know of any process of Node, under the names that `prom-client` also gives it. Its own collection would run code at
 * every garbage collection, which a busy server has many of.
 */
import { readFileSync, readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, type Registry } from "prom-client";
import { gaugeOf } from "./hot-path-metrics.ts";

const MICROSECONDS = 1e6;
const NANOSECONDS = 1e9;
/** How often the delay of the event loop is measured, ms. */
const LOOP_RESOLUTION_MS = 20;

/** Registers the metrics of this process. They cost nothing between two readings, except the delay of the event loop. */
export function measureProcess(registry: Registry): void {
  const gauge = gaugeOf.bind(undefined, registry);
  void new Counter({
    name: "process_cpu_seconds_total",
    help: "User and system time of all threads of the process.",
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / MICROSECONDS);
    },
  });
  const startedAt = Date.now() / 1_000 - process.uptime();
  gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", () => startedAt);
  gauge("process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  gauge(
    "nodejs_heap_size_used_bytes",
    "Used heap of JavaScript, with what is not collected yet.",
    () => process.memoryUsage().heapUsed,
  );
  gauge("nodejs_heap_size_total_bytes", "Heap of JavaScript.", () => process.memoryUsage().heapTotal);
  gauge(
    "nodejs_external_memory_bytes",
    "Memory outside of the heap, such as buffers.",
    () => process.memoryUsage().external,
  );
  gauge("process_open_fds", "Open files and sockets; only on Linux.", openDescriptors);
  gauge("process_max_fds", "How many files and sockets may be open; only on Linux.", maxDescriptors);
  measureLoop(gauge);
}

/** Each reading covers the time since the one before. */
function measureLoop(gauge: (name: string, help: string, value: () => number) => void): void {
  const delay: ReturnType<typeof monitorEventLoopDelay> = monitorEventLoopDelay({
    resolution: LOOP_RESOLUTION_MS,
  });
  delay.enable();
  const lag = (nanoseconds: number) =>
    // What it measures includes the time between two measurements.
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - LOOP_RESOLUTION_MS / 1_000) : 0;
  gauge("nodejs_eventloop_lag_p50_seconds", "Median of how long work waited for its turn.", () =>
    lag(delay.percentile(50)),
  );
  gauge("nodejs_eventloop_lag_p99_seconds", "99th percentile of how long work waited for its turn.", () =>
    lag(delay.percentile(99)),
  );
  gauge("nodejs_eventloop_lag_max_seconds", "The longest time that work waited for its turn.", () => {
    const max = lag(delay.max);
    delay.reset();
    return max;
  });
}

function openDescriptors(): number | undefined {
  if (process.platform !== "linux") return undefined;
  // Without that by which the folder itself is read.
  return readdirSync("/proc/self/fd").length - 1;
}

function maxDescriptors(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === undefined ? undefined : Number(limit);
}
