import { broadcastToTabs, listenToOwnTabs } from "../storage/tab-messages.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { LocalFile } from "./outgoing-file.ts";

/** The bytes of the files of drafts, by the ids of the files. */
export interface DraftFileBytes {
  /** Keeps a new file in memory. */
  add(id: string, files: LocalFile): void;
  inMemory(id: string): LocalFile | undefined;
  /** Reads from memory, the local database, or the tab that has the file in its memory; null if the file is lost. */
  read(id: string): Promise<LocalFile | null>;
  forget(ids: readonly string[]): void;
}

/** What they need. */
export interface DraftFileBytesDeps extends Pick<ChatDeps, "ports" | "database" | "me"> {
  /** Whether a draft has this file. */
  isUsed(id: string): boolean;
}

/** How long another tab may take to give a file. */
const OTHER_TAB_MS = 2_000;

/** Keeps the files of one session, and gives other tabs those that they ask for. */
export function createDraftFileBytes({ ports, database, me, isUsed }: DraftFileBytesDeps): DraftFileBytes {
  /** Files that this page has added. */
  const added = new Map<string, LocalFile>();
  /** What waits for another tab. */
  const asked = new Map<string, Set<(files: LocalFile | null) => void>>();

  listenToOwnTabs(ports.tabs, me, "draftFileAsked", ({ id }) => give(id));
  listenToOwnTabs(ports.tabs, me, "draftFileGiven", ({ id, file, cover }) => {
    for (const resolve of asked.get(id) ?? []) resolve({ file, cover });
  });

  function give(id: string): void {
    const files = added.get(id);
    if (files === undefined) return;
    broadcastToTabs(ports.tabs, { kind: "draftFileGiven", userId: me, id, ...files });
    // The other tab has sent it.
    if (!isUsed(id)) added.delete(id);
  }

  function ask(id: string): Promise<LocalFile | null> {
    return new Promise((resolve) => {
      const waiting = asked.get(id) ?? new Set();
      const end = (files: LocalFile | null) => {
        cancel();
        waiting.delete(end);
        if (waiting.size === 0) asked.delete(id);
        resolve(files);
      };
      const cancel = ports.clock.after(OTHER_TAB_MS, () => end(null));
      asked.set(id, waiting.add(end));
      broadcastToTabs(ports.tabs, { kind: "draftFileAsked", userId: me, id });
    });
  }

  return {
    add: (id, files) => void added.set(id, files),
    inMemory: (id) => added.get(id),
    read: async (id) => added.get(id) ?? (await database.file(id)) ?? ask(id),
    forget(ids) {
      if (ids.length === 0) return;
      for (const id of ids) added.delete(id);
      void database.removeFiles(ids);
    },
  };
}
