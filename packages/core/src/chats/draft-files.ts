import { MessageType } from "@parley/protocol/codes";
import {
  DRAFT_FILES_MAX,
  withDraftFiles,
  withMovedDraftFile,
  withoutDraftFile,
} from "../model/uploads/draft-files.ts";
import type { ChatKey, DraftFile } from "../model/state.ts";
import type { ChatActions, LocalFile, OutgoingFile } from "../client-api.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { FileToSend, Outbox } from "./outbox.ts";

/** The files of drafts: chosen, and not sent. Their list is part of the chat. */
export type DraftFiles = Pick<
  ChatActions,
  "addDraftFiles" | "removeDraftFile" | "moveDraftFile" | "draftFile" | "sendDraftFiles"
> & {
  /** The chat is removed from the list, and its draft with it. */
  forget(key: ChatKey): void;
};

/** What draft files need. */
export interface DraftFilesDeps extends Pick<ChatDeps, "ports" | "chatStore" | "stateStore"> {
  outbox: Outbox;
  tabSync: TabSync;
}

/** Creates the draft files of one session. */
export function createDraftFiles({
  ports,
  chatStore,
  stateStore,
  outbox,
  tabSync,
}: DraftFilesDeps): DraftFiles {
  /** Files that this page has in memory. */
  const inMemory = new Map<string, LocalFile>();

  const filesOf = (key: ChatKey) => chatStore.chatOf(key)?.draftFiles ?? [];

  function set(key: ChatKey, files: readonly DraftFile[]): void {
    if (files !== filesOf(key)) tabSync.dispatch({ kind: "draft", key, files });
  }

  async function read(id: string): Promise<LocalFile | null> {
    return inMemory.get(id) ?? null;
  }

  function forgetFiles(ids: readonly string[]): void {
    for (const id of ids) inMemory.delete(id);
  }

  return {
    addDraftFiles(key, outgoing) {
      const room = Math.max(0, DRAFT_FILES_MAX - filesOf(key).length);
      const added = outgoing.slice(0, room).map((file) => {
        const id = ports.random.id();
        inMemory.set(id, { file: file.file, cover: file.cover });
        return draftFileOf(id, file);
      });
      if (added.length > 0) set(key, withDraftFiles(filesOf(key), added));
    },
    removeDraftFile(key, id) {
      set(key, withoutDraftFile(filesOf(key), id));
      forgetFiles([id]);
    },
    moveDraftFile: (key, id, index) => set(key, withMovedDraftFile(filesOf(key), id, index)),
    draftFile: async (_key, id) => (await read(id))?.file ?? null,
    sendDraftFiles(key) {
      const files = filesOf(key);
      if (files.length === 0) return;
      const toSend = files.map(({ id, type, ...upload }): FileToSend => ({
        type,
        upload: { ...upload, wave: null },
        files: inMemory.get(id) ?? read(id),
      }));
      stateStore.batch(() => {
        set(key, []);
        outbox.sendFiles(key, toSend);
      });
      forgetFiles(files.map(({ id }) => id));
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
