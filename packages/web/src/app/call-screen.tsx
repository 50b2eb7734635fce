import { memo } from "react";
import type { Call } from "@parley/core/model/calls/call";
import { CallLayer } from "../features/calls/call-layer.tsx";
import { useCallNotification } from "./call-notifications.ts";

/** The call of this page, and its signs outside of the page. */
export const CallScreen = memo(function CallScreen({ call }: { readonly call: Call }) {
  useCallNotification(call);
  return <CallLayer call={call} />;
});
