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
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createDraftFileBytes } from "./draft-file-bytes.ts";
import type { History } from "./history.ts";
import type { FileToSend, Outbox } from "./outbox.ts";
import type { OutgoingFile } from "./outgoing-file.ts";

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

/** Creates the draft files of one session. */
export function createDraftFiles(deps: DraftFilesDeps): DraftFiles {
  const { ports, chatStore, stateStore, database, outbox, tabSync } = deps;
  const bytes = createDraftFileBytes({ ...deps, isUsed: (id) => usedIds().has(id) });
  let storedBefore: readonly string[] = [];

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
      const files = bytes.inMemory(id);
      if (files !== undefined) isStored = (await database.saveFile({ id, ...files })) && isStored;
      // It may have been removed or sent while it was written.
      if (bytes.inMemory(id) === undefined) void database.removeFiles([id]);
    }
    if (!isStored) deps.onNotStored();
    addMissing(key, added);
    tabSync.broadcast({ kind: "draft", key, files: filesOf(key) });
  }

  /** Another tab, which did not know these files yet, may have changed the list or removed the chat. */
  function addMissing(key: ChatKey, added: readonly DraftFile[]): void {
    const files = filesOf(key);
    const missing = added.filter(
      ({ id }) => bytes.inMemory(id) !== undefined && !files.some((candidate) => candidate.id === id),
    );
    if (missing.length === 0) return;
    if (chatStore.chatOf(key)?.isRemoved === true) return bytes.forget(missing.map(({ id }) => id));
    const all = withDraftFiles(files, missing);
    chatStore.dispatch([{ kind: "draft", key, files: all }]);
    bytes.forget(missing.flatMap((file) => (all.includes(file) ? [] : [file.id])));
  }

  const actions: DraftFileActions = {
    addDraftFiles(key, outgoing) {
      const room = Math.max(0, DRAFT_FILES_MAX - filesOf(key).length);
      const added = outgoing.slice(0, room).map((file) => {
        const id = ports.random.id();
        bytes.add(id, { file: file.file, cover: file.cover });
        return draftFileOf(id, file);
      });
      if (added.length === 0) return;
      const files = withDraftFiles(filesOf(key), added);
      chatStore.dispatch([{ kind: "draft", key, files }]);
      void store(key, added);
    },
    removeDraftFile(key, id) {
      set(key, withoutDraftFile(filesOf(key), id));
      bytes.forget([id]);
    },
    moveDraftFile: (key, id, index) => set(key, withMovedDraftFile(filesOf(key), id, index)),
    draftFile: async (_key, id) => (await bytes.read(id))?.file ?? null,
    sendDraftFiles(key) {
      deps.history.cancelNavigation(key);
      const files = filesOf(key);
      if (files.length === 0) return;
      const toSend = files.map(({ id, type, ...upload }): FileToSend => ({
        tmpId: id,
        type,
        upload: { ...upload, wave: null },
        files: bytes.inMemory(id) ?? bytes.read(id),
      }));
      stateStore.batch(() => {
        set(key, []);
        outbox.sendFiles(key, toSend);
      });
      // After the reads, which have begun.
      bytes.forget(files.map(({ id }) => id));
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
      bytes.forget(storedBefore.filter((id) => !used.has(id)));
      storedBefore = [];
    },
    forget: (key) => bytes.forget(filesOf(key).map(({ id }) => id)),
  };
}

function draftFileOf(id: string, file: OutgoingFile): DraftFile {
  const { name, size, mimeType, width, height, duration } = file;
  // A draft has no voice messages: one that is added is sent as a file.
  const type = file.type === MessageType.AUDIO ? MessageType.FILE : file.type;
  return { id, type, name, size, mimeType, width, height, duration };
}
