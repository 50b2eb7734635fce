import type { KeyValue } from "../ports.ts";

/** Reads a small value; null when it is missing or when the browser refuses access. */
export function readValue(storage: KeyValue, key: string): string | null {
  try {
    return storage.get(key);
  } catch {
    return null;
  }
}

/** Writes or, with null, removes a small value. When the browser refuses it, nothing is stored. */
export function writeValue(storage: KeyValue, key: string, value: string | null): void {
  try {
    if (value === null) storage.remove(key);
    else storage.set(key, value);
  } catch {
    // The page works without the stored value.
  }
}

/** Reads a JSON value that this client has written; null when it is missing or malformed. */
export function readJson(storage: KeyValue, key: string): unknown {
  const text = readValue(storage, key);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
