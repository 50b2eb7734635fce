import { useEffect, useMemo, useState } from "react";
import { Forward, MessageSquareText } from "lucide-react";
import type { Client } from "@parley/core/client-api";
import type { Chat, ChatKey, ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { usePerson } from "../../../kit/person.ts";
import { showMessage } from "../../../kit/show-message.ts";
import { fullTime, tipTime } from "../../../kit/time-text.ts";
import { useToday } from "../../../kit/use-today.ts";
import { useClient } from "../../../kit/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useIsMobile } from "../../../ui/use-media.ts";
import { useConversationUi } from "../message/conversation-ui.ts";
import { canForward } from "../message/message-actions.ts";
import { useSenderName } from "../message/use-sender-name.ts";
import { listMessages } from "./media-list.ts";
import { useMediaPages } from "./use-media-pages.ts";
import { Viewer, type ViewerItem } from "./viewer.tsx";
import { type LocalFile, viewerItem } from "./viewer-item.ts";
import styles from "./viewer.module.css";

/** Older pictures are loaded when so few are left before the shown one. */
const NEAR = 5;

interface ChatViewerProps {
  chat: Chat;
  /** The message whose picture is shown first. */
  messageKey: string;
  /** The name of a sender in this chat. */
  nameOf: (message: ChatMessage) => string;
  onClose: () => void;
}

/** The viewer over all pictures and videos of a chat. */
export function ChatViewer({ chat, messageKey, nameOf, onClose }: ChatViewerProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const [shownKey, setShownKey] = useState(messageKey);
  const pages = useMediaPages(chat.key, (loaded) => {
    const index = listMessages(chat.window, loaded).findIndex(({ key }) => key === shownKey);
    return index < NEAR;
  });
  const messages = useMemo(() => listMessages(chat.window, pages.messages), [chat.window, pages.messages]);
  const localFile = useLocalFiles(client);
  const items = messages.flatMap(
    (message) => viewerItem(client, message, nameOf(message), localFile(message), t) ?? [],
  );
  const messageOf = ({ key }: ViewerItem) => messages.find((one) => one.key === key);
  return (
    <Viewer
      items={items}
      startKey={messageKey}
      isSearching={pages.isSearching || pages.hasFailed}
      unknownBefore={pages.older}
      onShow={setShownKey}
      renderCaption={(item) => {
        const message = messageOf(item);
        return message && <Caption chatKey={chat.key} message={message} />;
      }}
      renderActions={(item) => {
        const message = messageOf(item);
        if (message === undefined || message.id === null) return null;
        const { id } = message;
        return (
          <>
            {canForward(message) && (
              <IconButton
                className={styles.tool}
                label={t("act.forward")}
                onClick={() => ui.set({ viewer: null, dialog: { kind: "forward", ids: [id] } })}
              >
                <Forward {...ICON_PROPS} />
              </IconButton>
            )}
            <IconButton
              className={styles.tool}
              label={t("viewer.jump")}
              onClick={() => {
                onClose();
                showMessage(chat.key, id);
              }}
            >
              <MessageSquareText {...ICON_PROPS} />
            </IconButton>
          </>
        );
      }}
      note={
        pages.hasFailed && (
          <div className={styles.note} role="status">
            {t("viewer.listFailed")}
            <Button size="small" variant="ghost" onClick={pages.retry}>
              {t("app.retry")}
            </Button>
          </div>
        )
      }
      onClose={onClose}
    />
  );
}

/** Who sent the shown picture, and when. */
function Caption({ chatKey, message }: { chatKey: ChatKey; message: ChatMessage }) {
  const t = useText();
  const locale = useLocale();
  const isMobile = useIsMobile();
  useToday();
  const { sendId, sendNickName, sendTime } = message;
  const person = usePerson(sendId);
  const name = useSenderName(chatKey, sendId, sendNickName);
  return (
    <div className={styles.sender}>
      <Avatar name={person.name} url={person.picture} id={sendId} size={32} />
      <div className={styles.words}>
        <div className={styles.name}>
          <bdi>{name}</bdi>
        </div>
        <time className={styles.detail} dateTime={new Date(sendTime).toISOString()}>
          {isMobile ? tipTime(sendTime, Date.now(), locale, t) : fullTime(sendTime, locale)}
        </time>
      </div>
    </div>
  );
}

function useLocalFiles(client: Client): (message: ChatMessage) => LocalFile | null {
  const [urls] = useState(() => new Map<string, LocalFile>());
  useEffect(
    () => () => {
      for (const { url, coverUrl } of urls.values()) {
        URL.revokeObjectURL(url);
        if (coverUrl !== null) URL.revokeObjectURL(coverUrl);
      }
      urls.clear();
    },
    [urls],
  );
  return ({ tmpId }) => {
    if (tmpId === null) return null;
    const known = urls.get(tmpId);
    if (known !== undefined) return known;
    const local = client.chats.localFile(tmpId);
    if (local === undefined || !(local.file instanceof Blob)) return null;
    const made = {
      url: URL.createObjectURL(local.file),
      coverUrl: local.cover instanceof Blob ? URL.createObjectURL(local.cover) : null,
    };
    urls.set(tmpId, made);
    return made;
  };
}
