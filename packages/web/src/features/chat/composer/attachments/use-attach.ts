import { useCallback } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { currentText } from "../../../../kit/i18n.ts";
import { loadPart } from "../../../../kit/load-part.ts";
import { toasts } from "../../../../kit/toasts.ts";
import { useClient } from "../../../../kit/use-client.ts";
import type { SelectedFiles } from "./attach-files.ts";

const load = () => import("./attach-files.ts");

/** Returns a function that adds chosen files to the draft of a chat. What it needs is loaded when files are first chosen. */
export function useAttach(chatKey: ChatKey): (chosen: SelectedFiles) => void {
  const client = useClient();
  return useCallback(
    (chosen) => {
      loadPart(load).then(
        ({ attachFiles }) => attachFiles(client, chatKey, chosen),
        () => toasts.long(currentText()("app.chunkFailed")),
      );
    },
    [client, chatKey],
  );
}
