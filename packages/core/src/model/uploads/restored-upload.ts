import type { OutboxEntry } from "../state.ts";

/** An entry that waited before a reload. Its file is gone with the page, so that it cannot be uploaded any more (spec §8). */
export function restoredEntry(entry: OutboxEntry): OutboxEntry {
  return entry.upload === null ? entry : { ...entry, failed: true, failure: { kind: "fileLost" } };
}

/** Whether a value that another page wrote describes a file that is to be uploaded. */
export function isPendingUpload(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name, size, mimeType, width, height, duration } = value as Record<string, unknown>;
  return (
    typeof name === "string" &&
    typeof mimeType === "string" &&
    typeof size === "number" &&
    [width, height, duration].every((field) => field === null || typeof field === "number")
  );
}
