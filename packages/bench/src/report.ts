import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, release, totalmem, type as system } from "node:os";
import { fileURLToPath } from "node:url";
import type { ResultRow } from "./benchmark.ts";
import { markdownTable } from "./result-table.ts";

const page = fileURLToPath(new URL("../../../docs/benchmarks.md", import.meta.url));
/** When and where it was measured, and the table after it. */
const RESULTS = /^Measured [^|]*\n\n(?:\|.*\n)+/m;

/** Replaces the results in docs/benchmarks.md by these rows. */
export function writeReport(rows: readonly ResultRow[]): void {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cores.length} cores (${cores[0]?.model ?? "unknown"}), ${memory} GiB, ${system()} ${release()} ${arch()}`;
  const measured = `Measured ${new Date().toISOString().slice(0, 10)} at ${commit()} on ${machine}, Node ${process.versions.node}.`;
  writeFileSync(page, withResults(readFileSync(page, "utf8"), measured, markdownTable(rows)));
}

/** The text of the page with these results in place of its own. The rest of it is written by people and stays. */
export function withResults(text: string, measured: string, table: string): string {
  if (!RESULTS.test(text))
    throw new Error("docs/benchmarks.md has no line of what was measured with a table after it");
  return text.replace(RESULTS, () => `${measured}\n\n${table}\n`);
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "an unknown commit";
  }
}
