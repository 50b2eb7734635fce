import { lazyComponent } from "../kit/lazy-component.tsx";
import { useClientState } from "../kit/use-client.ts";
import { loadCallsChunk } from "./load-calls.ts";

const CallScreen = lazyComponent(() => loadCallsChunk().then((part) => part.CallScreen));

/** Shows the call of this page. */
export function CallHost() {
  const call = useClientState((state) => state.call);
  return call === null ? null : <CallScreen call={call} />;
}
