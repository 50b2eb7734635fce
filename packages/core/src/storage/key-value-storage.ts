import type { KeyValue } from "../ports.ts";

/** Small values that a browser may refuse to keep: then they are as if they were never set. */
export function readValue(storage: KeyValue, key: string): string | null {
  try {
    return storage.get(key);
  } catch {
    return null;
  }
}

export function writeValue(storage: KeyValue, key: string, value: string | null): void {
  try {
    if (value === null) storage.remove(key);
    else storage.set(key, value);
  } catch {
    // Nothing to do: the page goes on without the memory.
  }
}

/** A JSON value of one's own; null when it is missing or broken. */
export function readJson(storage: KeyValue, key: string): unknown {
  const text = readValue(storage, key);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
