import type { Log } from "../main/log-file.ts";

/** A log that a test can read. */
export class TestLog implements Log {
  readonly entries: { level: "info" | "error"; what: string; error?: unknown; details?: object }[] = [];

  info(what: string, details?: object): void {
    this.entries.push({ level: "info", what, ...(details !== undefined && { details }) });
  }
  error(what: string, error?: unknown, details?: object): void {
    this.entries.push({ level: "error", what, error, ...(details !== undefined && { details }) });
  }
  /** The lines, in order. */
  get said(): string[] {
    return this.entries.map(({ what }) => what);
  }
}
