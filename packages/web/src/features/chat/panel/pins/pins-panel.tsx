import { PinOff } from "lucide-react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { showMessage } from "../../../../kit/chats/show-message.ts";
import { useLocale, useText } from "../../../../kit/i18n/i18n.ts";
import { listTime } from "../../../../kit/i18n/time-text.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { Button, IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { Row, Text } from "../../../../ui/layout.tsx";
import { Spinner } from "../../../../ui/spinner.tsx";
import { canPin } from "../../message/message-actions.ts";
import { groupPermissions } from "../../message/member-actions.ts";
import { messageSummary, useSenderName } from "../../message/message-summary.ts";
import { PanelFrame, type PanelProps } from "../panel-frame.tsx";
import { useLoadedPins, usePins } from "./use-pins.ts";
import styles from "./pins.module.css";

interface PinsPanelProps extends Omit<PanelProps, "onSearch" | "onPart"> {
  chatKey: ChatKey;
  onBack: () => void;
}

/** The pinned messages of a chat, in place of its side panel. */
export function PinsPanel({ chatKey, onBack, ...frame }: PinsPanelProps) {
  const t = useText();
  const { messages, unseen } = usePins(chatKey);
  const { failure, isLoading, reload } = useLoadedPins(chatKey);
  const show = ({ id }: ChatMessage) => {
    if (id === null) return;
    // A panel that covers the conversation would hide what is shown.
    if (!frame.isDocked) frame.onClose();
    showMessage(chatKey, id);
  };
  return (
    <PanelFrame title={t("pin.title")} onBack={onBack} {...frame}>
      <ul className={styles.list}>
        {messages.map((message) => (
          <PinItem key={message.key} chatKey={chatKey} message={message} onShow={() => show(message)} />
        ))}
      </ul>
      <div className={styles.end} role="status" aria-busy={isLoading || undefined}>
        {isLoading && messages.length === 0 && <Spinner />}
        {failure !== null && (
          <>
            <span>{t("media.listFailed")}</span>
            <Button variant="ghost" size="small" onClick={reload}>
              {t("app.retry")}
            </Button>
          </>
        )}
        {!isLoading && failure === null && messages.length === 0 && unseen === 0 && (
          <span>{t("pin.none")}</span>
        )}
        {unseen > 0 && <span>{t("pin.unseen", { count: unseen })}</span>}
      </div>
    </PanelFrame>
  );
}

interface PinItemProps {
  chatKey: ChatKey;
  message: ChatMessage;
  onShow: () => void;
}

function PinItem({ chatKey, message, onShow }: PinItemProps) {
  const t = useText();
  const locale = useLocale();
  const client = useClient();
  const sender = useSenderName(chatKey, message.sendId, message.sendNickName);
  const mayUnpin = useMayPin(chatKey, message);
  const { id } = message;
  return (
    <Row as="li" gap={4}>
      <button type="button" className={styles.item} onClick={onShow}>
        <Row as="span" align="baseline" gap={8} size={12} line={18} tone="tertiary">
          <Text as="bdi" grow truncate>
            {sender}
          </Text>
          <time dateTime={new Date(message.sendTime).toISOString()}>
            {listTime(message.sendTime, Date.now(), locale, t)}
          </time>
        </Row>
        <span className={styles.text} dir="auto">
          {messageSummary(message, t)}
        </span>
      </button>
      {mayUnpin && id !== null && (
        <IconButton label={t("act.unpin")} size={36} onClick={() => client.chats.pin(chatKey, id, false)}>
          <PinOff {...ICON_PROPS_16} />
        </IconButton>
      )}
    </Row>
  );
}

/** Whether I may pin and unpin a message. In a private chat its person has to be a friend, or myself. */
function useMayPin(chatKey: ChatKey, message: ChatMessage): boolean {
  return useClientState((state) => {
    const targetId = parseChatKey(chatKey)?.targetId ?? 0;
    const canWrite = targetId === state.me?.id || state.contacts.friends[targetId]?.isDeleted === false;
    return canPin(message, { canWrite, group: groupPermissions(state, chatKey) });
  });
}
