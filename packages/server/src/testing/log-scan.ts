/** What a server's log may not hold, whatever was done to it. */

import { PASSWORD } from "./test-person.ts";

/** What begins a token, a password's hash, or is the password of every person of the tests. */
const SECRETS = ["eyJhbGciOiJIUzI1NiJ9", "$argon2", PASSWORD];

/** Lines of a log that hold what belongs in none, whatever the test was about. */
export function secretsIn(lines: readonly string[]): string[] {
  return lines.filter((line) => SECRETS.some((secret) => line.includes(secret)));
}

/** Of pino: an error of the program. */
const ERROR_LEVEL = 50;
const SHOWN = 300;

/** A sentence for each line that tells one of these secrets, or of an error that nobody foresaw. */
export function flawsOfLog(output: string, secrets: readonly string[]): string[] {
  const flaws: string[] = [];
  for (const line of output.split("\n")) {
    const secret = secrets.find((one) => line.includes(one));
    if (secret !== undefined) flaws.push(`the log tells ${JSON.stringify(secret)}: ${line.slice(0, SHOWN)}`);
    if (levelOf(line) >= ERROR_LEVEL) flaws.push(`the log tells of an error: ${line.slice(0, SHOWN)}`);
  }
  return flaws;
}

/** Of a line that no logger wrote: an error's text, unless it is one of those that are printed at the start. */
function levelOf(line: string): number {
  if (line === "" || PRINTED.some((start) => line.startsWith(start))) return 0;
  if (!line.startsWith("{")) return ERROR_LEVEL;
  const { level } = JSON.parse(line) as { level?: unknown };
  return typeof level === "number" ? level : ERROR_LEVEL;
}

const PRINTED = [
  "Parley is ready: ",
  "Debugger listening on ",
  "For help, see: https://nodejs.org/",
  "Debugger attached.",
  "Waiting for the debugger to disconnect...",
  "Debugger ending on ",
];
