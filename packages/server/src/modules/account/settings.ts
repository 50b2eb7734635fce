/** The settings of the server for clients, and the change feed: what changed for a person while a client was away. */
import type { SystemConfig } from "@parley/protocol/entities";
import { EXTRA_CHANGES_MAX } from "@parley/protocol/limits";
import type { ApiCall, Handlers } from "../../api/api-call.ts";
import { systemMessage } from "../../presenters/message-presenter.ts";
import type { ChangeReads } from "../../ports/change-store.ts";
import type { MessageExtraReads } from "../../ports/message-extra-store.ts";
import type { SystemMessageReads } from "../../ports/system-message-store.ts";

export interface SettingsDeps {
  store: ChangeReads &
    Pick<MessageExtraReads, "listExtraChanges"> &
    Pick<SystemMessageReads, "systemReadPosition">;
  isHttps: boolean;
  /** What holds now. */
  systemConfig(): SystemConfig;
  /** The ICE servers of calls for this person. */
  iceServers(userId: number, now: number): SystemConfig["webrtc"]["iceServers"];
}

export function createSettings({
  store,
  isHttps,
  systemConfig,
  iceServers,
}: SettingsDeps): Pick<Handlers, "loadSystemConfig" | "loadChanges"> {
  return {
    loadSystemConfig: (call) => {
      const config = systemConfig();
      return {
        ...config,
        webrtc: { ...config.webrtc, iceServers: iceServers(call.actor.userId, call.now) },
        socketSecure: isSocketSecure(isHttps, call),
      };
    },

    async loadChanges({ actor, query }) {
      const changes = await store.listChanges(actor.userId, Number(query.since || 0));
      const { extrasSince } = query;
      const extras =
        extrasSince === undefined
          ? { changes: [], next: null }
          : await store.listExtraChanges(actor.userId, extrasSince, EXTRA_CHANGES_MAX);
      const position = await store.systemReadPosition(actor.userId);
      return {
        ...changes,
        next: String(changes.next),
        system: changes.system.map((row) => systemMessage(row, position)),
        extras: extras.changes,
        extrasNext: extras.next,
      };
    },
  };
}

/** Whether the socket has a secure address; null if the server cannot know. Behind a proxy that adds TLS only the page knows. */
export function isSocketSecure(
  isHttps: boolean,
  { isHttpsPage }: Pick<ApiCall, "isHttpsPage">,
): boolean | null {
  if (isHttps) return true;
  return isHttpsPage ? null : false;
}
