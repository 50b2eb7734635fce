import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";

const BYTES_MAX = 1_000_000;

/** Details of an entry. Never secrets, texts of messages or addresses: people send the file with a report. */
type Details = Readonly<Record<string, string | number | boolean>>;

/** Says what the main process did. */
export interface Log {
  info(what: string, details?: Details): void;
  /** Also for what went wrong without an error, such as a crash of the page. */
  error(what: string, error?: unknown, details?: Details): void;
}

/**
 * A log in `main.log` of this folder. When the file is full it becomes `main.old.log`, so that both together stay below 2 MB. A log that
 * cannot be written goes to the standard error output, because a full disk must not end the application.
 */
export function createLogFile(folder: string, now: () => Date): Log {
  const file = join(folder, "main.log");
  const write = (level: string, what: string, details: object): void => {
    const line = `${JSON.stringify({ time: now().toISOString(), level, what, ...details })}\n`;
    try {
      mkdirSync(folder, { recursive: true });
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > 0 && size + Buffer.byteLength(line) > BYTES_MAX)
        renameSync(file, join(folder, "main.old.log"));
      appendFileSync(file, line);
    } catch (error) {
      process.stderr.write(`${String(error)}: ${line}`);
    }
  };
  return {
    info: (what, details = {}) => write("info", what, details),
    error: (what, error, details = {}) =>
      write("error", what, { ...details, ...(error !== undefined && { error: inspect(error) }) }),
  };
}
