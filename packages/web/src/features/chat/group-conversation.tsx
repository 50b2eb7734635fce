import { useCallback, useEffect } from "react";
import { groupPermission, hasUnreadNotice } from "@parley/core/model/selectors";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { memberNameOf, useGroup } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { useSidePanel } from "./panel/side-panel.tsx";
import { BlockedGroupComposer } from "./composer/blocked-composer.tsx";
import { Conversation } from "./conversation.tsx";
import { GroupCallBar } from "./group-call-bar.tsx";
import { NoticeBar } from "./panel/notice-bar.tsx";
import { useMe } from "./use-me.ts";

/** The conversation in a group. */
export function GroupConversation({ chat, groupId }: { chat: Chat; groupId: number }) {
  const t = useText();
  const client = useClient();
  const group = useGroup(groupId);
  const me = useMe();
  const panel = useSidePanel();
  const isLoaded = useClientState((state) => state.groups.isLoaded);
  const isKnownGroup = useClientState((state) => state.groups.byId[groupId] !== undefined);
  const permission = useClientState((state) => groupPermission(state, groupId, "speak"));
  const hasNotice = useClientState((state) => hasUnreadNotice(state, groupId));
  const isOnline = useClientState((state) => state.connection.kind === "online");
  const hasMembers = useClientState((state) => state.groups.members[groupId] !== undefined);
  // Load the members once, as soon as the client is online: rows need their names and pictures.
  useEffect(() => {
    if (isKnownGroup && isOnline && !hasMembers) void client.groups.loadMembers(groupId);
  }, [client, groupId, isKnownGroup, isOnline, hasMembers]);
  const nameOf = useCallback(
    (message: ChatMessage) =>
      memberNameOf(client.getState(), groupId, message.sendId, message.sendNickName, t),
    [client, groupId, t],
  );
  return (
    <Conversation
      chat={chat}
      name={group.name}
      peer={null}
      me={me}
      isKnown={isLoaded || isKnownGroup}
      nameOf={nameOf}
      canWrite={permission === "ok"}
      // The status region exists before the bars, so that screen readers announce a new call or notice.
      banner={
        <div role="status">
          <GroupCallBar groupId={groupId} />
          {hasNotice && <NoticeBar groupId={groupId} onOpen={panel.open} />}
        </div>
      }
      blockedComposer={
        <BlockedGroupComposer groupId={groupId} permission={isKnownGroup || isLoaded ? permission : null} />
      }
    />
  );
}
