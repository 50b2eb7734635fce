import type { Client } from "@parley/core/client-api";
import type { ChatKey, DraftFile } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { currentText } from "../../../../kit/i18n.ts";
import { toasts } from "../../../../kit/toasts.ts";
import { announce } from "../announcement.tsx";
import { limitsOf } from "./attach-files.ts";
import { type FileKind, fileKind } from "./file-kind.ts";
import { prepareFile } from "./prepare-file.ts";

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
