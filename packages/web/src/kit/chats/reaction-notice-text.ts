import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ReactionNotice } from "@parley/core/model/chats/reaction-notices";
import type { ChatKey, State } from "@parley/core/model/state";
import { emoticonsToText } from "../i18n/emoticon-names.ts";
import { useText, type Translate } from "../i18n/i18n.ts";
import { useClientState } from "../loading/use-client.ts";
import { personName } from "../people/person.ts";
import { useUserSetting } from "../settings/user-settings.ts";
import { memberNameOf } from "./group.ts";

/** Who has reacted last to a message of mine in a chat, in words; null: nobody since the chat was open, or it is not wanted in the list. */
export function useReactionNoticeText(key: ChatKey): string | null {
  const t = useText();
  const [setting] = useUserSetting("reactionAlerts");
  const isShown = setting !== "off";
  return useClientState((state) => {
    const notice = isShown ? state.reactionNotices[key] : undefined;
    return notice === undefined ? null : reactionNoticeText(key, notice, state, t);
  });
}

/** A reaction to a message of mine as a sentence with the name of the person. */
export function reactionNoticeText(
  key: ChatKey,
  { by, reaction }: ReactionNotice,
  state: State,
  t: Translate,
): string {
  const chat = parseChatKey(key);
  const isInGroup = chat?.type === ChatType.GROUP;
  const name = isInGroup ? memberNameOf(state, chat.targetId, by, "", t) : personName(by, state, t);
  return t("reaction.told", { name, reaction: emoticonsToText(reaction, t) });
}
