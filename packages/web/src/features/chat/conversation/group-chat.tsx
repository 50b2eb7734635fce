import { useCallback, useEffect } from "react";
import { groupVerdict } from "@parley/core/model/selectors";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { memberNameOf, useGroup } from "../../../kit/groups.ts";
import { useText } from "../../../kit/i18n.ts";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { EmptyFoot } from "../composer/blocked-composer.tsx";
import { NoticeBar } from "./notice-bar.tsx";
import { Talk } from "./talk.tsx";
import { useMe } from "./use-me.ts";

const BlockedGroup = lazyPart(() =>
  import("../composer/blocked-group.tsx").then((part) => part.BlockedGroup),
);

/** Nothing waits for it: the place of the composer stays empty until it has come. */
const leaveEmpty = () => undefined;

/** The conversation of a group. */
export function GroupChat({ chat, groupId }: { chat: Chat; groupId: number }) {
  const t = useText();
  const client = useClient();
  const group = useGroup(groupId);
  const me = useMe();
  const isLoaded = useClientState((state) => state.groups.isLoaded);
  const isThere = useClientState((state) => state.groups.byId[groupId] !== undefined);
  const verdict = useClientState((state) => groupVerdict(state, groupId, "speak"));
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
      top={<NoticeBar groupId={groupId} />}
      instead={
        <BlockedGroup
          groupId={groupId}
          verdict={isThere || isLoaded ? verdict : null}
          waiting={<EmptyFoot />}
          onMissing={leaveEmpty}
        />
      }
    />
  );
}
