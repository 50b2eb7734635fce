import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { createTestApp } from "../testing/test-app.ts";
import { PROGRAM_FOLDERS, isExecutable } from "../testing/local-programs.ts";
import { type ReadMetrics, readMetrics } from "../testing/read-metrics.ts";

const fileOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const ALERTS = fileOf("deploy/prometheus/alerts.yml");
/** Of Debian's package `prometheus`. */
const promtool = PROGRAM_FOLDERS.map((folder) => join(folder, "promtool")).find(isExecutable);

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

const alerts = (parseYaml(readFileSync(ALERTS, "utf8")) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const dashboard = readFileSync(fileOf("deploy/grafana/dashboard.json"), "utf8");

/** Every query of a dashboard, and those of its variables. */
function queriesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    ["expr", "definition", "query"].includes(key) && typeof inner === "string" && inner.includes("_")
      ? [inner]
      : queriesOf(inner),
  );
}

/** The metrics that a query names, each with the labels that have to be equal to a text. */
function seriesIn(query: string): { name: string; labels: Record<string, string> }[] {
  return [...query.matchAll(/\b((?:parley|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = "", selector = ""]) => ({
      name,
      labels: Object.fromEntries(
        [...selector.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", value = ""]) => [label, value]),
      ),
    }),
  );
}

let metrics: ReadMetrics;
beforeAll(async () => {
  await using server = await createTestApp({ env: { METRICS_PORT: "0" } });
  metrics = await readMetrics(`http://127.0.0.1:${server.app.metricsPort}`);
});

/** What a query names and no server has. */
const unknownIn = (query: string) =>
  seriesIn(query)
    .filter(({ name, labels }) => !metrics.names.has(name) || !metrics.has(name, labels))
    .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);

describe("the dashboard of Grafana", () => {
  test("asks for nothing that a server does not have", () => {
    const queries = queriesOf(JSON.parse(dashboard));
    expect(queries.length).toBeGreaterThan(40);
    for (const query of queries) {
      expect([query, unknownIn(query)]).toEqual([query, []]);
      expect(seriesIn(query)).not.toEqual([]);
    }
    expect(unknownIn('rate(parley_misspelled_total[5m]) + parley_queue_depth{queue="none"}')).toHaveLength(2);
  });

  test("shows every metric that is Parley's own", () => {
    const shown = new Set(
      queriesOf(JSON.parse(dashboard))
        .flatMap(seriesIn)
        .map(({ name }) => name),
    );
    const hidden = [...metrics.names].filter(
      (name) => name.startsWith("parley_") && !/_(sum|count)$/.test(name) && !shown.has(name),
    );
    expect(hidden).toEqual([]);
  });
});

describe("the alarms of Prometheus", () => {
  test("ask for nothing that a server does not have, and say in sentences what is wrong", () => {
    expect(alerts.length).toBeGreaterThan(15);
    for (const { alert, expr, labels, annotations } of alerts) {
      expect([alert, unknownIn(expr)]).toEqual([alert, []]);
      if (alert !== "ParleyDown") expect(seriesIn(expr)).not.toEqual([]);
      expect(["critical", "warning"]).toContain(labels.severity);
      expect(annotations.summary).toMatch(/^[A-Z].+\.$/);
      expect(annotations.description).toMatch(/^.+\.$/);
    }
  });

  test("each have a section in docs/monitoring.md, and no other has one", () => {
    const sections = [...readFileSync(fileOf("docs/monitoring.md"), "utf8").matchAll(/^### (Parley\w+)$/gm)];
    expect(sections.map(([, name]) => name)).toEqual(alerts.map(({ alert }) => alert));
  });

  test.skipIf(promtool === undefined)("pass the check of promtool, as do the metrics", () => {
    expect(execFileSync(promtool ?? "", ["check", "rules", ALERTS], { encoding: "utf8" })).toContain(
      `${alerts.length} rules found`,
    );
    const own = metrics.text.split("\n").filter((line) => /^(# \w+ )?parley_/.test(line));
    execFileSync(promtool ?? "", ["check", "metrics"], { input: `${own.join("\n")}\n` });
  });
});
