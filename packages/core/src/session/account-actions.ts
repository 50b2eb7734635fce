import { endSession, listSessions, loadSystemConfig, unregister } from "@parley/protocol/endpoints/account";
import type { SessionActions } from "../client-api.ts";
import { type Api, SILENT } from "../connection/api.ts";

/** What a signed-in person asks the server about the own account and its sessions. */
export type AccountActions = Pick<
  SessionActions,
  "sessions" | "endSession" | "unregister" | "loadIceServers"
>;

/** Creates the actions of one session. */
export function createAccountActions(api: Api, onUnregistered: () => Promise<void>): AccountActions {
  return {
    sessions: () => api.call(listSessions, {}),
    endSession: (id) => api.call(endSession, { query: id === null ? {} : { id } }),
    async unregister(password) {
      const result = await api.call(unregister, { body: { password } }, SILENT);
      if (result.ok) await onUnregistered();
      return result;
    },
    async loadIceServers() {
      const config = await api.call(loadSystemConfig, {}, SILENT);
      return config.ok ? config.value.webrtc.iceServers : null;
    },
  };
}
