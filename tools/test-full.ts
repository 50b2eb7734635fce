// The batteries of faults with their full numbers: minutes, not seconds. `npm run test:full -- K1 K2` runs only those, `SEED=n` repeats
// a run. Ends with one table, a row a battery, and with code 1 when any promise was broken.
import { fileURLToPath } from "node:url";
import { BROWSER_BATTERIES } from "@parley/e2e/browser-batteries";
import type { Report } from "@parley/server/testing/faults/report";
import { BATTERIES } from "@parley/server/testing/batteries";
import { runBrowserBattery } from "./lib/browser-battery.ts";
import { installBrowser } from "./lib/install-browser.ts";
import { installFaultPrograms } from "./lib/debian-packages.ts";
import { run } from "./lib/process.ts";
import { buildWeb } from "./lib/web-build.ts";

/** The soak takes longest, most of it waiting: begun first, it is over with the others. */
const all = { ...BROWSER_BATTERIES, ...BATTERIES, BROWSER: runBrowserBattery };
/** More at once would hold up each other's clocks: a battery keeps about a core busy. */
const AT_ONCE = 2;
const ROW = /^\| .* \| \d+ s \| (\d+) \|$/;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  console.error(`no battery ${unknown.join(", ")}; there are ${Object.keys(all).join(", ")}`);
  process.exit(1);
}
await installFaultPrograms();
const chosen = Object.entries(all).filter(([name]) => named.length === 0 || named.includes(name));
if (chosen.some(([name]) => Object.hasOwn(BROWSER_BATTERIES, name) || name === "BROWSER")) {
  await installBrowser();
  await buildWeb();
}
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const rows: string[] = [];
const [first] = chosen;
if (chosen.length === 1 && first !== undefined) rows.push(await play(...first));
else {
  const left = chosen.entries();
  const lane = async (): Promise<void> => {
    for (const [i, [name]] of left) rows[i] = await playApart(name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
console.log(["| battery | done | time | violations |", "| --- | --- | --- | --- |", ...rows].join("\n"));
process.exitCode = rows.every((row) => ROW.exec(row)?.[1] === "0") ? 0 : 1;

/** Answers its row of the table. */
async function play(name: string, battery: (seed: number) => Promise<Report>): Promise<string> {
  console.log(`${name} ...`);
  const began = Date.now();
  const report = await battery(seed);
  for (const violation of report.violations) console.log(`FAILED ${report.name}: ${violation}`);
  const seconds = Math.round((Date.now() - began) / 1_000);
  return `| ${report.name} | ${report.done} | ${seconds} s | ${report.violations.length} |`;
}

/** In a program of its own: none waits while another one thinks. */
async function playApart(name: string): Promise<string> {
  console.log(`${name} ...`);
  const began = Date.now();
  const args = [...process.execArgv, fileURLToPath(import.meta.url), name];
  const { stdout, output } = await run(process.execPath, args, { env: { SEED: String(seed) } });
  const row = stdout.split("\n").findLast((line) => ROW.test(line));
  const seconds = Math.round((Date.now() - began) / 1_000);
  if (row === undefined || !row.endsWith("| 0 |")) console.log(output);
  else console.log(`${name} over after ${seconds} s`);
  return row ?? `| ${name} | it did not come to an end | ${seconds} s | 1 |`;
}
