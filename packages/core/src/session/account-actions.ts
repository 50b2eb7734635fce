import { endSession, listSessions, loadSystemConfig, unregister } from "@parley/protocol/endpoints/account";
import type { SessionVO } from "@parley/protocol/entities";
import type { IceServer } from "../call-ports.ts";
import { type Api, SILENT } from "../connection/api.ts";
import type { Result } from "../model/state.ts";

/** What a signed-in person asks the server about the own account and its sessions. */
export interface AccountActions {
  /** All sessions of this person. */
  sessions(): Promise<Result<readonly SessionVO[]>>;
  /** Ends one session; null: all except this one. */
  endSession(id: string | null): Promise<Result<null>>;
  /**
   * Deletes the account for good, signs out and removes what this device stores of it. The caller shows a failure, such as a wrong
   * password.
   */
  unregister(password: string): Promise<Result<null>>;
  /** The servers for calls, with credentials that were just made; null: the server does not say. */
  loadIceServers(): Promise<readonly IceServer[] | null>;
}

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
