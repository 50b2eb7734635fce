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
