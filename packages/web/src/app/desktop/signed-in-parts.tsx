import { useEffect } from "react";
import { isMentionedIn } from "@parley/core/model/alerts/chat-alerts";
import { shouldNotify } from "@parley/core/model/alerts/should-notify";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { isAnyChatLoading, totalUnread } from "@parley/core/model/selectors";
import type { ChatKey, ChatMessage, State } from "@parley/core/model/state";
import type { DeepLink } from "@parley/desktop/bridge/deep-link";
import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import { ChatType } from "@parley/protocol/codes";
import { chatPath } from "../../kit/chats/show-message.ts";
import { claimLink, useDesktopState } from "../../kit/settings/desktop-state.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { readUserSetting } from "../../kit/settings/user-settings.ts";
import { tellDesktop } from "./desktop-parts.tsx";

/** What the desktop application hears of a session, and the chats that its links open. */
export function SignedInParts({ bridge }: { bridge: DesktopBridge }) {
  const client = useClient();
  const unread = useClientState(totalUnread);
  const isRinging = useClientState(({ call }) => call?.stage === "ringing");
  useEffect(() => tellDesktop(bridge, "setUnread", unread), [bridge, unread]);
  useEffect(
    () =>
      client.onNotice((notice) => {
        if (notice.kind !== "message") return;
        const view = { isVisible: document.visibilityState === "visible", isFocused: document.hasFocus() };
        if (drawsAttention(client.getState(), notice.key, notice.message, view))
          tellDesktop(bridge, "drawAttention", null);
      }),
    [bridge, client],
  );
  useEffect(() => {
    if (isRinging && !document.hasFocus()) tellDesktop(bridge, "drawAttention", null);
  }, [bridge, isRinging]);
  useChatLinks();
  return null;
}

/** Whether the window flashes for a message: as notifications are shown, and for one that mentions the person even without those. */
function drawsAttention(
  { chats, session }: State,
  key: ChatKey,
  message: ChatMessage,
  view: { readonly isVisible: boolean; readonly isFocused: boolean },
): boolean {
  const chat = chats.byKey[key];
  if (chat === undefined || !shouldNotify(message, chat, { ...view, isLoading: isAnyChatLoading(chats) }))
    return false;
  return readUserSetting(session, "notifications") === "on" || isMentionedIn(chat, message);
}

/** Opens the chat of a link once it is known with whom the person may chat. */
function useChatLinks(): void {
  const t = useText();
  const link = useDesktopState((state) => state.link);
  const chat = useClientState((state) => (link?.kind === "chat" ? chatOfLink(link, state) : "unknown"));
  useEffect(() => {
    if (link?.kind !== "chat" || chat === "unknown") return;
    claimLink(link);
    if (chat === "refused")
      toasts.error(t(link.chat === "private" ? "error.friend.notFriend" : "error.group.notMember"));
    else goDown(chatPath(chat));
  }, [link, chat, t]);
}

/**
 * The chat that a link opens. `refused`: anybody may write a link, and this one is of somebody who is no friend, or of a group in which the
 * person is not. `unknown`: friends and groups are not loaded yet.
 */
export function chatOfLink(
  { chat, id }: Extract<DeepLink, { kind: "chat" }>,
  { session, contacts, groups }: Pick<State, "session" | "contacts" | "groups">,
): ChatKey | "refused" | "unknown" {
  if (session.kind !== "active") return "unknown";
  const list = chat === "private" ? contacts : groups;
  const isMine = list.order.includes(id) || (chat === "private" && id === session.userId);
  if (isMine) return chatKey(chat === "private" ? ChatType.PRIVATE : ChatType.GROUP, id);
  return list.isLoaded ? "refused" : "unknown";
}
