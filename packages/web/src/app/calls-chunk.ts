/** Everything that only calls need, in one chunk. */
export { CallScreen } from "./call-screen.tsx";
export { showCallNotice } from "../features/calls/show-call-notice.ts";
