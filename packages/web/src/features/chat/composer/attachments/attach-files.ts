import type { Client } from "@parley/core/client-api";
import { fileSize } from "@parley/core/model/format";
import type { ChatKey, DraftFile } from "@parley/core/model/state";
import { DRAFT_FILES_MAX } from "@parley/core/model/uploads/draft-files";
import { MessageType } from "@parley/protocol/codes";
import { visibleFileName } from "@parley/protocol/text";
import { currentText } from "../../../../kit/i18n/i18n.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import type { TransferredFiles } from "../../../../kit/forms/transferred-files.ts";
import { announce } from "../../../../kit/dialogs/announcement.tsx";
import { fileKind, fileProblem, isSeen, type FileKind } from "./file-kind.ts";
import { beingReadNow, countBeingRead } from "./pick-files.ts";
import { prepareFile } from "./prepare-file.ts";

/** Files that a person chose, pasted or dropped. */
export interface SelectedFiles extends TransferredFiles {
  /** They are to be sent as files, whatever they are. */
  readonly isFile: boolean;
}

/** One choice after the other, so that the files keep the order in which they were chosen. */
let lastChoice: Promise<void> = Promise.resolve();

/** Adds files to the draft of a chat. A sentence says which cannot be sent; the others stay. */
export function attachFiles(client: Client, chatKey: ChatKey, chosen: SelectedFiles): Promise<void> {
  const files = sendable(client, chatKey, chosen);
  const me = client.getState().me?.id;
  countBeingRead(chatKey, files.length);
  const add = async () => {
    const unseen: File[] = [];
    for (const file of files) {
      const prepared = await prepareFile(file, {
        isFile: chosen.isFile,
        imageMax: limitsOf(client).imageMax,
      });
      countBeingRead(chatKey, -1);
      if (!chosen.isFile && prepared.type === MessageType.FILE && isSeen(file)) unseen.push(file);
      // Somebody else may have signed in while it was read.
      if (client.getState().me?.id === me) client.chats.addDraftFiles(chatKey, [prepared]);
    }
    tellUnseen(unseen);
    if (files.length > 0) announce(currentText()("attach.added", { count: files.length }));
  };
  lastChoice = lastChoice.then(add);
  return lastChoice;
}

/** Says of pictures and videos that they go as files, because they cannot be shown. */
function tellUnseen([first, ...others]: readonly File[]): void {
  const t = currentText();
  if (first === undefined) return;
  if (others.length > 0) toasts.long(t("attach.goAsFiles", { count: others.length + 1 }));
  else toasts.long(t("attach.goesAsFile", { name: visibleFileName(first.name) }));
}

/** What the server takes, in bytes. While it is unknown, everything: the server refuses what it does not take. */
export function limitsOf(client: Client): { readonly imageMax: number; readonly fileMax: number } {
  return client.getState().config?.upload ?? { imageMax: Infinity, fileMax: Infinity };
}

/** The files that can be added; says why the others cannot. */
function sendable(client: Client, chatKey: ChatKey, { files, hasFolder }: SelectedFiles): readonly File[] {
  const t = currentText();
  const { fileMax } = limitsOf(client);
  const problems = files.map((file) => fileProblem(file, fileMax));
  if (hasFolder) toasts.error(t("attach.folder"));
  if (problems.includes("empty")) toasts.error(t("attach.empty"));
  if (problems.includes("tooLarge")) toasts.error(t("upload.tooLarge", { max: fileSize(fileMax) }));
  const good = files.filter((_, index) => problems[index] === null);
  const waiting = client.getState().chats.byKey[chatKey]?.draftFiles.length ?? 0;
  const free = Math.max(0, DRAFT_FILES_MAX - waiting - beingReadNow(chatKey));
  if (good.length > free) toasts.error(t("attach.tooMany", { max: DRAFT_FILES_MAX }));
  return good.slice(0, free);
}

/** As what a chosen file could be sent instead: a picture or video as a file, and such a file as what it is. Null: only as it is. */
export function otherKind({ name, mimeType, size, type }: DraftFile, imageMax: number): FileKind | null {
  const natural = fileKind({ name, type: mimeType, size }, imageMax);
  if (type !== MessageType.FILE) return MessageType.FILE;
  return natural === MessageType.FILE ? null : natural;
}

/** Changes as what a chosen file is sent, which a sentence says to screen readers; it keeps its place. False: it stays as it was. */
export async function sendAs(
  client: Client,
  chatKey: ChatKey,
  file: DraftFile,
  kind: FileKind,
): Promise<boolean> {
  const t = currentText();
  const bytes = await client.chats.draftFile(chatKey, file.id);
  if (!(bytes instanceof Blob)) {
    toasts.error(t("attach.lost"));
    return false;
  }
  const picked = new File([bytes], file.name, { type: file.mimeType });
  const isFile = kind === MessageType.FILE;
  const prepared = await prepareFile(picked, { isFile, imageMax: limitsOf(client).imageMax });
  if (prepared.type === file.type) {
    toasts.error(t("attach.notPicture"));
    return false;
  }
  const filesNow = () => client.getState().chats.byKey[chatKey]?.draftFiles ?? [];
  const index = filesNow().findIndex(({ id }) => id === file.id);
  // It was removed or sent while it was read.
  if (index < 0) return false;
  client.chats.removeDraftFile(chatKey, file.id);
  client.chats.addDraftFiles(chatKey, [prepared]);
  const added = filesNow().at(-1);
  if (added !== undefined) client.chats.moveDraftFile(chatKey, added.id, index);
  announce(t(isFile ? "attach.nowFile" : "attach.nowPicture", { name: file.name }));
  return true;
}
