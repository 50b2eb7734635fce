import { useEffect, useState } from "react";
import { MessageSquareText } from "lucide-react";
import type { Client } from "@parley/core/client-api";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { usePerson } from "../../../kit/people/person.ts";
import { fullTime, tipTime, useToday } from "../../../kit/i18n/time-text.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { useIsMobile } from "../../../ui/use-media.ts";
import type { OpenViewer } from "../message/media/media-files.ts";
import { useMediaPages } from "../message/media/media-pages.ts";
import { allowedActions, useActionConditions, useMessageActions } from "../message/message-actions.ts";
import { useSenderName } from "../message/message-summary.ts";
import { Viewer } from "./viewer.tsx";
import { type LocalFile, viewerItem, type ViewerItem } from "./viewer-item.ts";
import styles from "./viewer.module.css";

/** Older pictures are loaded when so few are left before the shown one. */
const NEAR = 5;
/** As many are loaded without being asked for: then the ends meet at the true first picture in nearly every chat. */
const LOAD_MAX = 500;

interface ChatViewerProps {
  viewer: OpenViewer;
  /** The name of a sender in this chat. */
  nameOf: (message: ChatMessage) => string;
  /** Shows the message with this id in the conversation. */
  onJump: (id: number) => void;
  onClose: () => void;
}

/** The viewer over all pictures and videos of a chat. */
export function ChatViewer({ viewer, nameOf, onJump, onClose }: ChatViewerProps) {
  const { chatKey, messageKey } = viewer;
  const t = useText();
  const client = useClient();
  const [shownKey, setShownKey] = useState(messageKey);
  const { pages, messages, hasMore, load } = useMediaPages(chatKey, "pictures", viewer.pages);
  // The shown picture is near the oldest known one, or has not been found.
  const isNear = messages.findIndex(({ key }) => key === shownKey) < NEAR;
  const isWanted = pages.status === "idle" && hasMore && (isNear || pages.messages.length < LOAD_MAX);
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted, load]);
  const localFile = useLocalFiles(client);
  const items = messages.flatMap(
    (message) => viewerItem(client, message, nameOf(message), localFile(message), t) ?? [],
  );
  const messageOf = ({ key }: ViewerItem) => messages.find((one) => one.key === key);
  return (
    <Viewer
      items={items}
      startKey={messageKey}
      // A missing picture may still be found.
      isSearching={isWanted || pages.status !== "idle"}
      unknownBefore={hasMore ? Math.max(0, (pages.total ?? 0) - pages.messages.length) : 0}
      onShow={setShownKey}
      renderCaption={(item) => {
        const message = messageOf(item);
        return message && <Caption chatKey={chatKey} message={message} />;
      }}
      renderActions={(item) => {
        const message = messageOf(item);
        if (message === undefined || message.id === null) return null;
        const { id } = message;
        return (
          <>
            <MessageButtons message={message} onClose={onClose} />
            <IconButton className={styles.tool} label={t("viewer.jump")} onClick={() => onJump(id)}>
              <MessageSquareText {...ICON_PROPS} />
            </IconButton>
          </>
        );
      }}
      note={
        pages.status === "failed" && (
          <Row gap={8} size={13} tone="secondary" role="status">
            {t("viewer.listFailed")}
            <Button size="small" variant="ghost" onClick={load}>
              {t("app.retry")}
            </Button>
          </Row>
        )
      }
      onClose={onClose}
    />
  );
}

/** The actions on the shown picture; they close the viewer. */
function MessageButtons({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const t = useText();
  const runAction = useMessageActions();
  const conditions = useActionConditions();
  return allowedActions(message, conditions).map(
    ({ id, text, Icon, buttons }) =>
      buttons?.includes("viewer") && (
        <IconButton
          key={id}
          className={styles.tool}
          label={t(text)}
          onClick={() => {
            onClose();
            runAction(id, message);
          }}
        >
          <Icon {...ICON_PROPS} />
        </IconButton>
      ),
  );
}

/** The sender of the shown picture, and the time. */
function Caption({ chatKey, message }: { chatKey: ChatKey; message: ChatMessage }) {
  const t = useText();
  const locale = useLocale();
  const isMobile = useIsMobile();
  useToday();
  const { sendId, sendNickName, sendTime } = message;
  const person = usePerson(sendId);
  const name = useSenderName(chatKey, sendId, sendNickName);
  return (
    <Row gap={12} shrink>
      <Avatar name={person.name} url={person.picture} id={sendId} size={32} />
      <Stack shrink className={styles.words}>
        <Text as="div" truncate weight="name">
          <bdi>{name}</bdi>
        </Text>
        <Text as="time" truncate size={13} tone="secondary" dateTime={new Date(sendTime).toISOString()}>
          {isMobile ? tipTime(sendTime, Date.now(), locale, t) : fullTime(sendTime, locale)}
        </Text>
      </Stack>
    </Row>
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
