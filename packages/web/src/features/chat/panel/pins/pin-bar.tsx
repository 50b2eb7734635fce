import { useState } from "react";
import { ListIcon, Pin, X } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { showMessage } from "../../../../kit/chats/show-message.ts";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { Row, Text } from "../../../../ui/layout.tsx";
import { messageSummary, useSenderName } from "../../message/message-summary.ts";
import { useSidePanel } from "../side-panel.tsx";
import { useHiddenPins, usePinLoading, usePins } from "./use-pins.ts";
import styles from "./pins.module.css";

/** The pinned messages of a chat in one line: a click shows the one in it, and the line goes on to the one that was pinned before. */
export function PinBar({ chatKey }: { chatKey: ChatKey }) {
  const t = useText();
  const panel = useSidePanel();
  usePinLoading(chatKey);
  const pins = usePins(chatKey);
  const [isHidden, hide] = useHiddenPins(chatKey, pins);
  const [steps, setSteps] = useState(0);
  const count = pins.messages.length;
  const position = count === 0 ? 0 : steps % count;
  const message = pins.messages[position];
  if (message === undefined || isHidden) return null;
  const show = () => {
    if (message.id !== null) showMessage(chatKey, message.id);
    setSteps(position + 1);
  };
  return (
    <Row as="section" gap={8} shrink={false} className={styles.bar} aria-label={t("pin.title")} data-pins>
      <Pin {...ICON_PROPS_16} className={styles.icon} />
      <button type="button" className={styles.summary} onClick={show}>
        <Sender chatKey={chatKey} message={message} /> <bdi>{messageSummary(message, t)}</bdi>
      </button>
      {count > 1 && (
        <Text
          shrink={false}
          size={12}
          tone="tertiary"
          role="img"
          aria-label={t("pin.place", { number: position + 1, count })}
        >
          {position + 1}/{count}
        </Text>
      )}
      {count > 1 && (
        <IconButton label={t("pin.list")} size={36} onClick={() => panel.openPart(chatKey, "pins")}>
          <ListIcon {...ICON_PROPS} />
        </IconButton>
      )}
      <IconButton label={t("pin.hide")} size={36} onClick={hide}>
        <X {...ICON_PROPS_16} />
      </IconButton>
    </Row>
  );
}

function Sender({ chatKey, message }: { chatKey: ChatKey; message: ChatMessage }) {
  return <bdi className={styles.sender}>{useSenderName(chatKey, message.sendId, message.sendNickName)}</bdi>;
}
