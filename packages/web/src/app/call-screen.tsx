import type { Call } from "@parley/core/model/calls/call";
import { CallLayer } from "../features/calls/call-layer.tsx";

/** The call of this page, and what tells of it outside of the page. */
export function CallScreen({ call }: { readonly call: Call }) {
  return <CallLayer call={call} />;
}
