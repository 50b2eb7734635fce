/** Searches the log of a server for what it must never contain. */

import { PASSWORD } from "./test-person.ts";

/** The beginning of a token and of a password hash, and the password of all test people. */
const SECRETS = ["eyJhbGciOiJIUzI1NiJ9", "$argon2", PASSWORD];

/** The lines that contain a token, a hash or a password. */
export function secretsIn(lines: readonly string[]): string[] {
  return lines.filter((line) => SECRETS.some((secret) => line.includes(secret)));
}

/** The level of pino for an error. */
const ERROR_LEVEL = 50;
const SHOWN_CHARACTERS = 300;

/** One sentence for each line that contains one of these secrets or reports an unexpected error. */
export function flawsOfLog(output: string, secrets: readonly string[]): string[] {
  const flaws: string[] = [];
  for (const line of output.split("\n")) {
    const secret = secrets.find((one) => line.includes(one));
    if (secret !== undefined)
      flaws.push(`the log contains ${JSON.stringify(secret)}: ${line.slice(0, SHOWN_CHARACTERS)}`);
    if (levelOf(line) >= ERROR_LEVEL)
      flaws.push(`the log reports an error: ${line.slice(0, SHOWN_CHARACTERS)}`);
  }
  return flaws;
}

/** The level of a line. A line that is not from the logger counts as an error, unless it is an expected one. */
function levelOf(line: string): number {
  if (line === "" || EXPECTED_LINES.some((start) => line.startsWith(start))) return 0;
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === "number" ? level : ERROR_LEVEL;
  } catch {
    // From somebody else, or a line of the logger that was torn because both outputs of the process are read as one.
    return ERROR_LEVEL;
  }
}

const EXPECTED_LINES = [
  "Parley is ready: ",
  "Make the first administrator once at ",
  "Debugger listening on ",
  "For help, see: https://nodejs.org/",
  "Debugger attached.",
  "Waiting for the debugger to disconnect...",
  "Debugger ending on ",
];
