// The batteries of faults with their full numbers: minutes, not seconds. `npm run test:full -- K1 K2` runs only those, `SEED=n` repeats
// a run. Ends with one table, a row a battery, and with code 1 when any promise was broken.
import { BROWSER_BATTERIES } from "@parley/e2e/full";
import { BATTERIES } from "@parley/server/testing/full";
import { runBrowserBattery } from "./lib/browser-battery.ts";
import { bringBrowser } from "./lib/browser.ts";
import { bringFaultPrograms } from "./lib/debian.ts";
import { buildWeb } from "./lib/web-build.ts";

const all = { ...BATTERIES, ...BROWSER_BATTERIES, BROWSER: runBrowserBattery };
const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  console.error(`no battery ${unknown.join(", ")}; there are ${Object.keys(all).join(", ")}`);
  process.exit(1);
}
await bringFaultPrograms();
const isMeant = (name: string) => named.length === 0 || named.includes(name);
if (Object.keys(BROWSER_BATTERIES).some(isMeant)) {
  await bringBrowser();
  await buildWeb();
}
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const rows: string[] = [];
let broken = 0;
for (const [name, run] of Object.entries(all)) {
  if (!isMeant(name)) continue;
  console.log(`${name} ...`);
  const began = Date.now();
  const report = await run(seed);
  for (const violation of report.violations) console.log(`FAILED ${report.name}: ${violation}`);
  broken += report.violations.length;
  const seconds = Math.round((Date.now() - began) / 1_000);
  rows.push(`| ${report.name} | ${report.done} | ${seconds} s | ${report.violations.length} |`);
}
console.log(["| battery | done | time | violations |", "| --- | --- | --- | --- |", ...rows].join("\n"));
process.exitCode = broken > 0 ? 1 : 0;
