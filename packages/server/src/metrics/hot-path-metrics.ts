/**
 * Counters and histograms for what happens thousands of times a second. Those of `prom-client` find the cell of a label by a text that they
 * put together at each event, which together cost several percent of sending a message. These are a number each, and the library asks for them
 * only when Prometheus reads.
 */
import { Counter, Gauge, type Metric, type Registry } from "prom-client";

/** Seconds. From a commit on a fast disk to a client that gives up. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts events. */
export type Count = (by?: number) => void;
/** Adds a value to a histogram. */
export type Observe = (value: number) => void;

/** The name and help text of a metric. */
interface Description {
  name: string;
  help: string;
}

/** Registers a counter. */
export function counterOf(registry: Registry, description: Description): Count {
  let count = 0;
  void new Counter({
    ...description,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(count);
    },
  });
  return (by = 1) => {
    count += by;
  };
}

/** Registers a counter for each word of one label. It begins at 0, so that the first event is an increase. Events of other words are not counted. */
export function counterBy(
  registry: Registry,
  description: Description,
  label: string,
  words: readonly string[],
): (word: string, by?: number) => void {
  const counts = new Map(words.map((word) => [word, { value: 0 }]));
  void new Counter({
    ...description,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [word, { value }] of counts) this.inc({ [label]: word }, value);
    },
  });
  return (word, by = 1) => {
    const count = counts.get(word);
    if (count !== undefined) count.value += by;
  };
}

/** Registers a histogram. `bounds` are the upper limits of its buckets, in rising order; times in seconds without any. */
export function histogramOf(registry: Registry, description: Description, bounds = SECONDS): Observe {
  const cells = new HistogramCells(bounds);
  register(registry, description, () => cells.values(description.name, {}));
  return (value) => cells.observe(value);
}

/** Registers a histogram of seconds for each word of one label. Values of other words are left out. */
export function histogramBy<Word extends string>(
  registry: Registry,
  description: Description,
  label: string,
  words: readonly Word[],
): Readonly<Record<Word, Observe>> {
  const cells = words.map((word) => [word, new HistogramCells(SECONDS)] as const);
  register(registry, description, () =>
    cells.flatMap(([word, one]) => one.values(description.name, { [label]: word })),
  );
  const observers = cells.map(([word, one]): [Word, Observe] => [word, (value) => one.observe(value)]);
  // One for each word.
  return Object.fromEntries(observers) as Record<Word, Observe>;
}

/** Registers a gauge that asks for its value at each reading. While that is undefined, there is none. */
export function gaugeOf(
  registry: Registry,
  name: string,
  help: string,
  value: () => number | undefined,
): void {
  void new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      const current = value();
      if (current === undefined) this.remove();
      else this.set(current);
    },
  });
}

interface Value {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

function register(registry: Registry, description: Description, values: () => Value[]): void {
  const metric = {
    ...description,
    type: "histogram",
    get: async () => ({ ...description, type: "histogram", aggregator: "sum", values: values() }),
  };
  // The registry needs no more of a metric than its name and `get`, but its types name the classes of the library.
  registry.registerMetric(metric as unknown as Metric);
}

class HistogramCells {
  readonly #bounds: readonly number[];
  /** One more than bounds: the last one is for what is larger than all of them. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? Infinity)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** As Prometheus wants it: each bucket includes the smaller ones. */
  values(name: string, labels: Record<string, string>): Value[] {
    let count = 0;
    const buckets = Array.from(this.#counts, (own, index): Value => {
      count += own;
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: this.#bounds[index] ?? "+Inf" },
        value: count,
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
