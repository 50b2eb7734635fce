import type { OutboxEntry } from "../state.ts";

/** An entry that waited before a reload. Its file is gone with the page, so it can no longer be uploaded (spec §8). */
export function restoredEntry(entry: OutboxEntry): OutboxEntry {
  return entry.upload === null ? entry : { ...entry, failed: true, failure: { kind: "fileLost" } };
}
