import { isRunning } from "@parley/core/model/broadcast/broadcast-run";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Compose } from "./compose.tsx";
import { Progress } from "./progress.tsx";

/** The broadcast tool (spec §2): composing, then the progress and the result for each friend. */
export function BroadcastDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const run = useClientState((state) => state.broadcast.run);
  const close = () => {
    if (run !== null && isRunning(run)) toasts.long(t("broadcast.goesOn"));
    // Nothing is left to do about a success; what has failed can still be tried again later.
    else if (run?.recipients.every(({ state }) => state === "sent") === true) client.broadcast.dismiss();
    onClose();
  };
  return run === null ? <Compose onClose={close} /> : <Progress run={run} onClose={close} />;
}
