import type { ChatActions } from "@parley/core/client-api";
import type { ChatMessage } from "@parley/core/model/state";
import { useClient } from "../../../../kit/use-client.ts";

/** The file that this page sends or has sent with a message, or the cover of its video; null if there is none or it is not wanted. */
export function useLocalFile(
  { tmpId }: Pick<ChatMessage, "tmpId">,
  part: "file" | "cover",
  isWanted: boolean,
): Blob | null {
  const client = useClient();
  const file = isWanted && tmpId !== null ? client.chats.localFile(tmpId)?.[part] : null;
  return file instanceof Blob ? file : null;
}

/** Whether the file of a message was not uploaded and is no longer in this page, as after a reload. */
export function isFileLost(
  { chats }: { readonly chats: Pick<ChatActions, "localFile"> },
  { upload, tmpId }: Pick<ChatMessage, "upload" | "tmpId">,
): boolean {
  return upload !== null && (tmpId === null || chats.localFile(tmpId) === undefined);
}
