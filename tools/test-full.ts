// Runs the fault batteries in full size, which takes minutes. `npm run test:full -- K1 K2` runs only those, `SEED=n` repeats a run. At the
// end it prints a table with a row for each battery. The exit code is 1 if there was any violation. `PREVIOUS=v0.1.0` names the version from
// which ROLLING restarts.
import { fileURLToPath } from "node:url";
import { BROWSER_BATTERIES } from "@parley/e2e/browser-batteries";
import type { Report } from "@parley/reliability/faults/report";
import { BATTERIES } from "@parley/reliability/batteries";
import { runBrowserBattery } from "./lib/browser-battery.ts";
import { installBrowser, installOtherBrowsers } from "./lib/install-browser.ts";
import { FAULT_PROGRAMS, NODE_PROGRAMS, installPrograms } from "./lib/debian-packages.ts";
import { run } from "./lib/process.ts";
import { runPostgresBattery } from "./lib/postgres-battery.ts";
import { buildWeb } from "./lib/web-build.ts";

/** The soak test takes longest and mostly waits, so it starts first. */
const all = {
  ...BROWSER_BATTERIES,
  ...BATTERIES,
  BROWSER: runBrowserBattery,
  POSTGRES: runPostgresBattery,
};
/** A battery keeps about one core busy. More at once would slow each other down and distort their timing. */
const CONCURRENCY = 2;
const ROW = /^\| .* \| \d+ s \| (\d+|skipped) \|$/;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  console.error(`no battery ${unknown.join(", ")}; there are ${Object.keys(all).join(", ")}`);
  process.exit(1);
}
await installPrograms([...FAULT_PROGRAMS, ...NODE_PROGRAMS]);
const chosen = Object.entries(all).filter(([name]) => named.length === 0 || named.includes(name));
if (chosen.some(([name]) => Object.hasOwn(BROWSER_BATTERIES, name) || name === "BROWSER")) {
  await installBrowser();
  await installOtherBrowsers(chosen.map(([name]) => name));
  await buildWeb();
}
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const rows: string[] = [];
const [first] = chosen;
if (chosen.length === 1 && first !== undefined) rows.push(await runBattery(...first));
else {
  const remaining = chosen.entries();
  const runRemaining = async (): Promise<void> => {
    for (const [i, [name]] of remaining) rows[i] = await runInOwnProcess(name);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runRemaining));
}
console.log(["| battery | done | time | violations |", "| --- | --- | --- | --- |", ...rows].join("\n"));
process.exitCode = rows.every((row) => ["0", "skipped"].includes(ROW.exec(row)?.[1] ?? "")) ? 0 : 1;

/** Runs a battery and returns its row of the table. */
async function runBattery(name: string, battery: (seed: number) => Promise<Report>): Promise<string> {
  console.log(`${name} ...`);
  const startedAt = Date.now();
  const report = await battery(seed);
  for (const violation of report.violations) console.log(`FAILED ${report.name}: ${violation}`);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  if (report.skipped !== undefined)
    return `| ${report.name} | nothing, because ${report.skipped} | ${seconds} s | skipped |`;
  return `| ${report.name} | ${report.done} | ${seconds} s | ${report.violations.length} |`;
}

/** Runs a battery in its own process, so that none blocks another one. Returns its row of the table. */
async function runInOwnProcess(name: string): Promise<string> {
  console.log(`${name} ...`);
  const startedAt = Date.now();
  const args = [...process.execArgv, fileURLToPath(import.meta.url), name];
  const { stdout, output } = await run(process.execPath, args, { env: { SEED: String(seed) } });
  const row = stdout.split("\n").findLast((line) => ROW.test(line));
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const isWithout = row?.endsWith("| 0 |") === true || row?.endsWith("| skipped |") === true;
  if (!isWithout) console.log(output);
  else console.log(`${name} finished after ${seconds} s`);
  return row ?? `| ${name} | did not finish | ${seconds} s | 1 |`;
}
