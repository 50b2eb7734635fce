import type { Call } from "@parley/core/model/calls/call";
import { EndButton, MicrophoneButton } from "./call-controls.tsx";

/** A call as a small window that leaves the page usable. */
export function MinimisedCall({ call }: { readonly call: Call }) {
  return (
    <section>
      <MicrophoneButton state={call.local.microphone} size={40} />
      <EndButton call={call} size={40} />
    </section>
  );
}
