import { useCallback, useEffect } from "react";
import { bannedPerson } from "@parley/core/model/selectors";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { usePerson } from "../../../kit/people.ts";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { EmptyFoot } from "../composer/empty-foot.tsx";
import { Talk } from "./talk.tsx";
import { useMe } from "./use-me.ts";

const BlockedComposer = lazyPart(() =>
  import("../composer/blocked-composer.tsx").then((part) => part.BlockedComposer),
);

const BannedBar = lazyPart(() => import("./banned-bar.tsx").then((part) => part.BannedBar));

/** The conversation with one person. */
export function PrivateChat({ chat, targetId }: { chat: Chat; targetId: number }) {
  const t = useText();
  const client = useClient();
  const isKnown = useClientState((state) => state.contacts.isLoaded);
  const peer = usePerson(targetId);
  const me = useMe();
  const isStranger = isKnown && peer.relation === "stranger";
  const isBanned = useClientState((state) => bannedPerson(state, targetId) !== null);
  useEffect(() => {
    if (isStranger) void client.contacts.loadUser(targetId);
  }, [client, targetId, isStranger]);
  const nameOf = useCallback(
    (message: ChatMessage) => (message.selfSend ? me.name : peer.name),
    [me.name, peer.name],
  );
  const canWrite = peer.relation === "friend" || peer.relation === "me" || !isKnown;
  return (
    <Talk
      chat={chat}
      name={peer.relation === "me" ? t("chat.self") : peer.name}
      peer={peer}
      me={me}
      isKnown={isKnown}
      nameOf={nameOf}
      canWrite={canWrite}
      // The region stands there before it says something, so that screen readers tell of it.
      top={<div role="status">{isBanned && <BannedBar userId={targetId} />}</div>}
      instead={<BlockedComposer person={peer} waiting={<EmptyFoot />} missing={EmptyFoot} />}
    />
  );
}
