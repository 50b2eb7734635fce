import { Link, MessageSquareText } from "lucide-react";
import { fileSize } from "@parley/core/model/format";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../../kit/i18n/i18n.ts";
import { listTime } from "../../../../kit/i18n/time-text.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../../ui/layout.tsx";
import { linksOf } from "../../message/bubbles/link-parts.ts";
import { downloadMedia } from "../../message/media/media-files.ts";
import { FileIcon, FileNameText } from "../../message/media/file-name.tsx";
import { fileOf } from "../../message/media/media-content.ts";
import { useSenderName } from "../../message/message-summary.ts";
import styles from "./media-panel.module.css";

interface MessageListProps {
  chatKey: ChatKey;
  messages: readonly ChatMessage[];
  onJump: (message: ChatMessage) => void;
}

/** Files: a click downloads one, the button beside it leads to its message. */
export function FileList({ chatKey, messages, onJump }: MessageListProps) {
  return (
    <ul className={styles.list}>
      {messages.map((message) => (
        <FileItem key={message.key} chatKey={chatKey} message={message} onJump={() => onJump(message)} />
      ))}
    </ul>
  );
}

interface FileItemProps {
  chatKey: ChatKey;
  message: ChatMessage;
  onJump: () => void;
}

function FileItem({ chatKey, message, onJump }: FileItemProps) {
  const t = useText();
  const client = useClient();
  const file = fileOf(message);
  if (file === null) return null;
  const size = fileSize(file.size);
  return (
    <Row as="li" gap={4}>
      <button
        type="button"
        className={styles.itemOpen}
        aria-label={t("media.downloadFile", { name: file.name, size })}
        onClick={() => downloadMedia(client, message)}
      >
        <FileIcon name={file.name} />
        <Stack as="span" grow>
          <FileNameText name={file.name} />
          <MessageDetails chatKey={chatKey} message={message} first={size} />
        </Stack>
      </button>
      <JumpButton onJump={onJump} />
    </Row>
  );
}

/** Every link of the messages. */
export function LinkList({ chatKey, messages, onJump }: MessageListProps) {
  return (
    <ul className={styles.list}>
      {messages.flatMap((message) =>
        linksOf(message.content).map((href) => (
          <Row as="li" key={`${message.key} ${href}`} gap={4}>
            <a className={styles.itemOpen} href={href} target="_blank" rel="noopener noreferrer nofollow">
              <Text tone="accent" className={styles.linkIcon}>
                <Link {...ICON_PROPS} />
              </Text>
              <Stack as="span" grow>
                <Text as="bdi" truncate line={20} className={styles.url}>
                  {href}
                </Text>
                <MessageDetails chatKey={chatKey} message={message} />
              </Stack>
            </a>
            <JumpButton onJump={() => onJump(message)} />
          </Row>
        )),
      )}
    </ul>
  );
}

interface MessageDetailsProps {
  chatKey: ChatKey;
  message: ChatMessage;
  first?: string;
}

/** The sender and the time, in small text. */
function MessageDetails({ chatKey, message, first }: MessageDetailsProps) {
  const t = useText();
  const locale = useLocale();
  const sender = useSenderName(chatKey, message.sendId, message.sendNickName);
  const time = listTime(message.sendTime, Date.now(), locale, t);
  return (
    <Row as="span" align="stretch" gap={8} size={12} line={18} tone="tertiary" className={styles.details}>
      {first !== undefined && <span>{first}</span>}
      <Text as="bdi" truncate>
        {sender}
      </Text>
      <time dateTime={new Date(message.sendTime).toISOString()}>{time}</time>
    </Row>
  );
}

/** Leads to the message in the conversation. */
function JumpButton({ onJump }: { onJump: () => void }) {
  const t = useText();
  return (
    <IconButton label={t("media.jump")} size={36} onClick={onJump}>
      <MessageSquareText {...ICON_PROPS_16} />
    </IconButton>
  );
}
