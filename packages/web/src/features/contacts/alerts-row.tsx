import { ChatType } from "@parley/protocol/codes";
import type { FriendVO } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { useAlertLevelEnd } from "../../kit/chats/alert-level-end.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { KeyValueRow } from "../../ui/key-value-list.tsx";
import { Switch } from "../../ui/switch.tsx";

/** Whether messages of a friend alert: the same setting as "Mute" in the chat. */
export function AlertsRow({ friend }: { friend: FriendVO }) {
  const t = useText();
  const { chats } = useClient();
  const isOn = friend.msgRemind !== 0;
  const end = useAlertLevelEnd({ type: ChatType.PRIVATE, targetId: friend.id });
  const mutedText = end === null ? t("friend.alertsOff") : t("chat.mutedUntil", { time: end });
  const change = async (alerts: boolean) => {
    const result = await chats.setAlerts(chatKey(ChatType.PRIVATE, friend.id), alerts ? 1 : 0);
    if (!result.ok) toasts.failure(result.failure);
  };
  return (
    <KeyValueRow label={t("friend.alerts")} text={isOn ? t("friend.alertsOn") : mutedText}>
      {({ labelId, hintId }) => (
        <Switch labelId={labelId} hintId={hintId} isOn={isOn} onChange={(next) => void change(next)} />
      )}
    </KeyValueRow>
  );
}
