/** Everything that only calls need, in one chunk. */
import { createCallService, type CallService, type CallServiceDeps } from "@parley/core/calls/call-service";
import { browserCallPorts } from "../platform/calls/browser-call-ports.ts";

export { callChecks } from "../platform/calls/call-checks.ts";
export { CallScreen } from "./call-screen.tsx";
export { watchScreenRequests } from "../features/calls/screen-request.ts";
export { showCallNotices } from "../features/calls/call-notices.ts";

/** The calls of a session, with the devices and connections of this browser. */
export function createCalls(deps: CallServiceDeps): CallService {
  return createCallService(deps, browserCallPorts());
}
