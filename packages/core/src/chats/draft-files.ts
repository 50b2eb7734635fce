import { MessageType } from "@parley/protocol/codes";
import {
  DRAFT_FILES_MAX,
  withDraftFiles,
  withMovedDraftFile,
  withoutDraftFile,
} from "../model/uploads/draft-files.ts";
import type { ChatKey, DraftFile } from "../model/state.ts";
import type { FileData } from "../ports.ts";
import type { SessionEvents } from "../session-events.ts";
import { broadcastToTabs, listenToOwnTabs } from "../storage/tab-messages.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { History } from "./history.ts";
import type { FileToSend, Outbox } from "./outbox.ts";
import type { LocalFile, OutgoingFile } from "./outgoing-file.ts";

/** What a person does with the files of a draft. */
export interface DraftFileActions {
  /** Adds files to the draft, behind those that it has. It has at most 20; the others are left out. */
  addDraftFiles(key: ChatKey, files: readonly OutgoingFile[]): void;
  removeDraftFile(key: ChatKey, id: string): void;
  /** Moves a file of the draft to a place, counted without it. */
  moveDraftFile(key: ChatKey, id: string, index: number): void;
  /** The file of a draft; null if this device has lost it. */
  draftFile(key: ChatKey, id: string): Promise<FileData | null>;
  /** Sends the files of the draft, in their order, and removes them from the draft. */
  sendDraftFiles(key: ChatKey): void;
}

/** The files of drafts: chosen, and not sent. Their list is part of the chat. */
export interface DraftFiles extends Pick<SessionEvents, "restoreFirst"> {
  readonly actions: DraftFileActions;
  /** The chats are restored: forgets stored files that belong to no draft. */
  forgetUnused(): void;
  /** The chat is removed from the list, and its draft with it. */
  forget(key: ChatKey): void;
}

/** What draft files need. */
export interface DraftFilesDeps extends ChatDeps {
  outbox: Outbox;
  history: History;
  tabSync: TabSync;
  /** A file does not fit into the storage of the browser and stays in memory. */
  onNotStored(): void;
}

/** How long another tab may take to give a file. */
const OTHER_TAB_MS = 2_000;

/** Creates the draft files of one session, and gives other tabs those that they ask for. */
export function createDraftFiles(deps: DraftFilesDeps): DraftFiles {
  const { ports, chatStore, stateStore, database, outbox, tabSync, me } = deps;
  /** The files that this page has added, by their ids. */
  const inMemory = new Map<string, LocalFile>();
  /** What waits for another tab. */
  const asked = new Map<string, Set<(files: LocalFile | null) => void>>();
  let storedBefore: readonly string[] = [];

  listenToOwnTabs(ports.tabs, me, "draftFileAsked", ({ id }) => give(id));
  listenToOwnTabs(ports.tabs, me, "draftFileGiven", ({ id, file, cover }) => {
    for (const resolve of asked.get(id) ?? []) resolve({ file, cover });
  });

  const filesOf = (key: ChatKey) => chatStore.chatOf(key)?.draftFiles ?? [];

  function set(key: ChatKey, files: readonly DraftFile[]): void {
    if (files !== filesOf(key)) tabSync.dispatch({ kind: "draft", key, files });
  }

  function usedIds(): Set<string> {
    const chats = Object.values(stateStore.get().chats.byKey);
    return new Set(chats.flatMap(({ draftFiles }) => draftFiles.map(({ id }) => id)));
  }

  /** Stores new files after the list that names them, and shows them in the other tabs when these can read them. */
  async function store(key: ChatKey, added: readonly DraftFile[]): Promise<void> {
    let isStored = true;
    for (const { id } of added) {
      const files = inMemory.get(id);
      if (files !== undefined) isStored = (await database.saveFile({ id, ...files })) && isStored;
      // It may have been removed or sent while it was written.
      if (inMemory.get(id) === undefined) void database.removeFiles([id]);
    }
    if (!isStored) deps.onNotStored();
    addMissing(key, added);
    tabSync.broadcast({ kind: "draft", key, files: filesOf(key) });
  }

  /** Another tab, which did not know these files yet, may have changed the list or removed the chat. */
  function addMissing(key: ChatKey, added: readonly DraftFile[]): void {
    const files = filesOf(key);
    const missing = added.filter(
      ({ id }) => inMemory.get(id) !== undefined && !files.some((candidate) => candidate.id === id),
    );
    if (missing.length === 0) return;
    if (chatStore.chatOf(key)?.isRemoved === true) return forgetFiles(missing.map(({ id }) => id));
    const all = withDraftFiles(files, missing);
    chatStore.dispatch([{ kind: "draft", key, files: all }]);
    forgetFiles(missing.flatMap((file) => (all.includes(file) ? [] : [file.id])));
  }

  /** Reads from memory, the local database, or the tab that has the file in its memory; null if the file is lost. */
  async function read(id: string): Promise<LocalFile | null> {
    return inMemory.get(id) ?? (await database.file(id)) ?? askOtherTabs(id);
  }

  function askOtherTabs(id: string): Promise<LocalFile | null> {
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

  function give(id: string): void {
    const files = inMemory.get(id);
    if (files === undefined) return;
    broadcastToTabs(ports.tabs, { kind: "draftFileGiven", userId: me, id, ...files });
    // The other tab has sent it.
    if (!usedIds().has(id)) inMemory.delete(id);
  }

  function forgetFiles(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) inMemory.delete(id);
    void database.removeFiles(ids);
  }

  const actions: DraftFileActions = {
    addDraftFiles(key, outgoing) {
      const room = Math.max(0, DRAFT_FILES_MAX - filesOf(key).length);
      const added = outgoing.slice(0, room).map((file) => {
        const id = ports.random.id();
        inMemory.set(id, { file: file.file, cover: file.cover });
        return draftFileOf(id, file);
      });
      if (added.length === 0) return;
      const files = withDraftFiles(filesOf(key), added);
      chatStore.dispatch([{ kind: "draft", key, files }]);
      void store(key, added);
    },
    removeDraftFile(key, id) {
      set(key, withoutDraftFile(filesOf(key), id));
      forgetFiles([id]);
    },
    moveDraftFile: (key, id, index) => set(key, withMovedDraftFile(filesOf(key), id, index)),
    draftFile: async (_key, id) => (await read(id))?.file ?? null,
    sendDraftFiles(key) {
      deps.history.cancelNavigation(key);
      const files = filesOf(key);
      if (files.length === 0) return;
      const toSend = files.map(({ id, type, ...upload }): FileToSend => ({
        tmpId: id,
        type,
        upload: { ...upload, wave: null },
        files: inMemory.get(id) ?? read(id),
      }));
      stateStore.batch(() => {
        set(key, []);
        outbox.sendFiles(key, toSend);
      });
      // After the reads, which have begun.
      forgetFiles(files.map(({ id }) => id));
    },
  };

  return {
    actions,
    // What is stored before the chats are read may be deleted by `forgetUnused` if no draft names it.
    async restoreFirst() {
      storedBefore = await database.fileIds();
    },
    forgetUnused() {
      const used = usedIds();
      forgetFiles(storedBefore.filter((id) => !used.has(id)));
      storedBefore = [];
    },
    forget: (key) => forgetFiles(filesOf(key).map(({ id }) => id)),
  };
}

function draftFileOf(id: string, file: OutgoingFile): DraftFile {
  const { name, size, mimeType, width, height, duration } = file;
  // A draft has no voice messages: one that is added is sent as a file.
  const type = file.type === MessageType.AUDIO ? MessageType.FILE : file.type;
  return { id, type, name, size, mimeType, width, height, duration };
}
