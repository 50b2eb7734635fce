import { useCallback, useEffect } from "react";
import { CircleAlert } from "lucide-react";
import { bannedPerson } from "@parley/core/model/selectors";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../kit/i18n/i18n.ts";
import { useBanned, usePerson } from "../../kit/people/person.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Banner } from "../../ui/banner.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { BlockedComposer } from "./composer/blocked-composer.tsx";
import { Conversation } from "./conversation.tsx";
import { useMe } from "./use-me.ts";

/** The conversation with one person, or with oneself. */
export function PrivateConversation({ chat, targetId }: { chat: Chat; targetId: number }) {
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
    <Conversation
      chat={chat}
      name={peer.relation === "me" ? t("chat.self") : peer.name}
      peer={peer}
      me={me}
      isKnown={isKnown}
      nameOf={nameOf}
      canWrite={canWrite}
      // The status region exists before the banner, so that screen readers announce it.
      banner={<div role="status">{isBanned && <BannedBar userId={targetId} />}</div>}
      blockedComposer={<BlockedComposer person={peer} />}
    />
  );
}

/** A banner above the chat with a person whom an administrator has banned. */
function BannedBar({ userId }: { userId: number }) {
  const text = useBanned(userId);
  return text === null ? null : <Banner icon={<CircleAlert {...ICON_PROPS_16} />}>{text}</Banner>;
}
