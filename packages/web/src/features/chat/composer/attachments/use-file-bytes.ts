import { useEffect, useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useClient } from "../../../../kit/use-client.ts";

/** The bytes of a file of the draft: undefined until they are read, null if this device has lost them. */
export function useFileBytes(chatKey: ChatKey, id: string): Blob | null | undefined {
  const client = useClient();
  const [bytes, setBytes] = useState<Blob | null>();
  useEffect(() => {
    let isCurrent = true;
    void client.chats.draftFile(chatKey, id).then((file) => {
      if (isCurrent) setBytes(file instanceof Blob ? file : null);
    });
    return () => {
      isCurrent = false;
    };
  }, [client, chatKey, id]);
  return bytes;
}
