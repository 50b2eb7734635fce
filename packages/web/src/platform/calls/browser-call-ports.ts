import type { CallPorts } from "@parley/core/call-ports";
import { browserMedia } from "./browser-media.ts";
import { browserPeers } from "./browser-peers.ts";
import { browserRingtones } from "./browser-ringtones.ts";

/** What calls use of the browser. */
export function browserCallPorts(): CallPorts {
  return {
    media: browserMedia(),
    peers: browserPeers,
    ringtones: browserRingtones(),
    uptime: () => performance.now(),
  };
}
