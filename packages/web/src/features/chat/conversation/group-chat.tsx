import { useCallback, useEffect } from "react";
import { groupVerdict, hasUnreadNotice } from "@parley/core/model/selectors";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { memberNameOf, useGroup } from "../../../kit/groups.ts";
import { useText } from "../../../kit/i18n.ts";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { useSidePanel } from "../panel/use-side-panel.ts";
import { EmptyFoot } from "../composer/empty-foot.tsx";
import { Talk } from "./talk.tsx";
import { useMe } from "./use-me.ts";

const BlockedGroup = lazyPart(() =>
  import("../composer/blocked-group.tsx").then((part) => part.BlockedGroup),
);

const NoticeBar = lazyPart(() => import("../panel/notice-bar.tsx").then((part) => part.NoticeBar));

/** The conversation of a group. */
export function GroupChat({ chat, groupId }: { chat: Chat; groupId: number }) {
  const t = useText();
  const client = useClient();
  const group = useGroup(groupId);
  const me = useMe();
  const panel = useSidePanel();
  const isLoaded = useClientState((state) => state.groups.isLoaded);
  const isThere = useClientState((state) => state.groups.byId[groupId] !== undefined);
  const verdict = useClientState((state) => groupVerdict(state, groupId, "speak"));
  const hasNotice = useClientState((state) => hasUnreadNotice(state, groupId));
  const isOnline = useClientState((state) => state.connection.kind === "online");
  const hasMembers = useClientState((state) => state.groups.members[groupId] !== undefined);
  // Names and pictures of those who wrote; asked for once, and while there is somebody to ask.
  useEffect(() => {
    if (isThere && isOnline && !hasMembers) void client.groups.loadMembers(groupId);
  }, [client, groupId, isThere, isOnline, hasMembers]);
  const nameOf = useCallback(
    (message: ChatMessage) =>
      memberNameOf(client.getState(), groupId, message.sendId, message.sendNickName, t),
    [client, groupId, t],
  );
  return (
    <Talk
      chat={chat}
      name={group.name}
      peer={null}
      me={me}
      isKnown={isLoaded || isThere}
      nameOf={nameOf}
      canWrite={verdict === "ok"}
      // The region stands there before a notice does, so that screen readers tell of one that comes.
      top={<div role="status">{hasNotice && <NoticeBar groupId={groupId} onOpen={panel.open} />}</div>}
      instead={
        <BlockedGroup
          groupId={groupId}
          verdict={isThere || isLoaded ? verdict : null}
          waiting={<EmptyFoot />}
          missing={EmptyFoot}
        />
      }
    />
  );
}
