/** Reads the metrics of a test server as Prometheus does. */
import parse from "parse-prometheus-text-format";

/** What a server says about itself. */
export interface ReadMetrics {
  text: string;
  /** The names of all series. A histogram has several, such as that of its buckets. */
  names: ReadonlySet<string>;
  /** The value of the series with exactly these labels. Throws if there is none, or several. */
  value(name: string, labels?: Record<string, string>): number;
  /** Whether there is a series with at least these labels. */
  has(name: string, labels: Record<string, string>): boolean;
}

/** Parses metrics. Throws at a line that is not in the text format. */
function parseMetrics(text: string): ReadMetrics {
  // The library joins all histograms of one name, whatever their labels are. It leaves series without a type alone.
  const series = parse(text.replaceAll(/^(# TYPE \S+) (?:histogram|summary)$/gm, "$1 untyped")).flatMap(
    ({ name, metrics }) => metrics.map(({ value, labels = {} }) => ({ name, labels, value: Number(value) })),
  );
  const find = (name: string, labels: Record<string, string>) =>
    series.filter(
      (one) =>
        one.name === name && Object.entries(labels).every(([label, word]) => one.labels[label] === word),
    );
  return {
    text,
    names: new Set(series.map(({ name }) => name)),
    has: (name, labels) => find(name, labels).length > 0,
    value(name, labels = {}) {
      const count = Object.keys(labels).length;
      const [found, ...others] = find(name, labels).filter((one) => Object.keys(one.labels).length === count);
      if (found === undefined || others.length > 0)
        throw new Error(`there is not exactly one ${name} ${JSON.stringify(labels)}`);
      return found.value;
    },
  };
}

/** Reads the metrics of a server, which must answer with them. */
export async function readMetrics(url: string, token?: string): Promise<ReadMetrics> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/metrics`, { headers });
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  return parseMetrics(await answer.text());
}
