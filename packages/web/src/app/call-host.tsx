import { useDeferredValue } from "react";
import { lazyComponent } from "../kit/lazy-component.tsx";
import { useClientState } from "../kit/use-client.ts";
import { loadCallsChunk } from "./load-calls.ts";

const CallScreen = lazyComponent(() => loadCallsChunk().then((part) => part.CallScreen));

/**
 * Shows the call of this page. Signals of the call, and what devices deliver, go before: many of them come at once when a call is answered, and
 * each would wait while the one before is shown.
 */
export function CallHost() {
  const call = useDeferredValue(useClientState((state) => state.call));
  return call === null ? null : <CallScreen call={call} />;
}
