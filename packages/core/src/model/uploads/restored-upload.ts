import type { OutboxEntry } from "../state.ts";

/** An entry that waited before a reload. Its file is gone with the page, so that it cannot be uploaded any more (spec §8). */
export function restoredEntry(entry: OutboxEntry): OutboxEntry {
  return entry.upload === null ? entry : { ...entry, failed: true, failure: { kind: "fileLost" } };
}
