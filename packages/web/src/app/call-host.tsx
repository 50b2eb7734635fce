import { useEffect } from "react";
import { useText } from "../kit/i18n.ts";
import { lazyComponent } from "../kit/lazy-component.tsx";
import { loadPart } from "../kit/load-part.ts";
import { toasts } from "../kit/toasts.ts";
import { useClient, useClientState } from "../kit/use-client.ts";
import { loadCallsChunk } from "./load-calls.ts";

const CallScreen = lazyComponent(() => loadCallsChunk().then((part) => part.CallScreen));

/** Shows the call of this page, and says why it ended. */
export function CallHost() {
  const t = useText();
  const client = useClient();
  const call = useClientState((state) => state.call);
  useEffect(
    () =>
      client.onNotice((notice) => {
        if (notice.kind !== "callEnded" && notice.kind !== "callPersonLeft") return;
        loadPart(loadCallsChunk).then(
          (part) => part.showCallNotice(client, notice),
          () => toasts.long(t("app.chunkFailed")),
        );
      }),
    [client, t],
  );
  return call === null ? null : <CallScreen call={call} />;
}
