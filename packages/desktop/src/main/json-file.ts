import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import type { Log } from "./log-file.ts";

/** A small value in a file. */
export interface JsonFile<Value> {
  /** The defaults if there is no file, or if it is damaged or of another version, which the log says. */
  read(): Value;
  /** Either the whole new file lies there afterwards or the old one. A failure goes to the log. */
  write(value: Value): void;
}

/** Values of this version in a file. */
export function openJsonFile<Value>(
  path: string,
  content: { version: number; schema: z.ZodMiniType<Value>; defaults: Value },
  log: Log,
): JsonFile<Value> {
  const { version, schema, defaults } = content;
  const file = z.object({ version: z.literal(version), value: schema });
  return {
    read: () => {
      try {
        return file.parse(JSON.parse(readFileSync(path, "utf8"))).value;
      } catch (error) {
        const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
        if (!isAbsent) log.error("a file cannot be read and its defaults are used", error, { path });
        return defaults;
      }
    },
    write: (value) => {
      try {
        mkdirSync(dirname(path), { recursive: true });
        const unfinished = `${path}.new`;
        const descriptor = openSync(unfinished, "w", 0o600);
        try {
          writeSync(descriptor, JSON.stringify({ version, value }));
          fsyncSync(descriptor);
        } finally {
          closeSync(descriptor);
        }
        renameSync(unfinished, path);
      } catch (error) {
        log.error("a file cannot be written", error, { path });
      }
    },
  };
}
