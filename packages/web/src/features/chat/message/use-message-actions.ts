import { useCallback } from "react";
import type { ChatMessage } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { useConversationUi } from "./conversation-ui.ts";
import { groupPermissions } from "./member-actions.ts";
import { MESSAGE_ACTIONS, actionLimits, allowedActions, type MessageActionId } from "./message-actions.ts";

/** Returns a function that runs an action on a message of this conversation. */
export function useMessageActions(): (action: MessageActionId, message: ChatMessage) => void {
  const client = useClient();
  const ui = useConversationUi();
  return useCallback((action, message) => MESSAGE_ACTIONS[action].run(message, { client, ui }), [client, ui]);
}

/** What a message of this conversation allows while one's rights are as they are now, in the order of its menu. */
export function useAllowedActions(message: ChatMessage, canWrite: boolean): readonly MessageActionId[] {
  const client = useClient();
  const { key } = useConversationUi();
  const groups = useClientState((state) => state.groups);
  const session = useClientState((state) => state.session);
  const group = groupPermissions({ groups, session }, key);
  return allowedActions(message, actionLimits(client.getState(), Date.now(), canWrite, group));
}
