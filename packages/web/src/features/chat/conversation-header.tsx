import { ChevronLeft, PanelRight, Search } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import type { ChatKey } from "@parley/core/model/state";
import { goUp } from "../../kit/dialogs/go-up.ts";
import type { ReactNode } from "react";
import { ChatAvatar } from "../../kit/chats/chat-avatar.tsx";
import { useChatAppearance } from "../../kit/chats/chat-name.ts";
import { useGroup } from "../../kit/chats/group.ts";
import { useTypingText } from "../../kit/chats/typing-text.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { useLastSeen, usePerson } from "../../kit/people/person.ts";
import { totalUnread } from "@parley/core/model/selectors";
import { useClientState } from "../../kit/loading/use-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { openUserCard } from "../../kit/dialogs/open-dialog.ts";
import { CallButtons } from "./call-buttons.tsx";
import { GroupCallButton } from "./group-call-button.tsx";
import { useSidePanel } from "./panel/side-panel.tsx";
import styles from "./conversation-header.module.css";

interface ConversationHeaderProps {
  chatKey: ChatKey;
  type: ChatType;
  targetId: number;
  onSearch: () => void;
}

/** The header of a conversation: name, presence or size, and buttons. */
export function ConversationHeader({ chatKey, type, targetId, onSearch }: ConversationHeaderProps) {
  const t = useText();
  const isMobile = useIsMobile();
  const panel = type !== ChatType.SYSTEM && (
    <PanelButton
      key={chatKey}
      label={t(type === ChatType.GROUP ? "chat.groupInfo" : "chat.info")}
      isOverTitle={isMobile}
    />
  );
  const overTitle = isMobile && panel;
  return (
    <Row as="header" gap={12} shrink={false} className={styles.header}>
      {isMobile && <BackButton />}
      {type === ChatType.PRIVATE && <PersonTitle chatKey={chatKey} userId={targetId} overTitle={overTitle} />}
      {type === ChatType.GROUP && <GroupTitle chatKey={chatKey} groupId={targetId} overTitle={overTitle} />}
      {type === ChatType.SYSTEM && <SystemTitle chatKey={chatKey} />}
      {type === ChatType.PRIVATE && <CallButtons userId={targetId} />}
      {type === ChatType.GROUP && <GroupCallButton groupId={targetId} />}
      {panel && (
        <IconButton label={t("chat.find")} onClick={onSearch}>
          <Search {...ICON_PROPS} />
        </IconButton>
      )}
      {!isMobile && panel}
    </Row>
  );
}

function BackButton() {
  const t = useText();
  const unread = useClientState(totalUnread);
  return (
    <Row
      as="button"
      type="button"
      shrink={false}
      paddingX={4}
      tone="primary"
      className={styles.back}
      aria-label={[t("chat.back"), unread > 0 && t("chat.unreadCount", { count: unread })]
        .filter(Boolean)
        .join(t("app.listSeparator"))}
      onClick={() => goUp("/home/chat")}
    >
      <ChevronLeft {...ICON_PROPS_24} />
      <Badge count={unread} />
    </Row>
  );
}

interface PersonTitleProps {
  chatKey: ChatKey;
  userId: number;
  overTitle: ReactNode;
}

function PersonTitle({ chatKey, userId, overTitle }: PersonTitleProps) {
  const t = useText();
  const appearance = useChatAppearance(chatKey);
  const person = usePerson(userId);
  const presence = useLastSeen(userId);
  const isKnown = useClientState((state) => state.contacts.isLoaded);
  const subtitle = {
    me: t("chat.notes"),
    friend: presence,
    ended: t("person.notFriend"),
    stranger: t(isKnown ? "person.notFriend" : "presence.unknown"),
  }[person.relation];
  const typing = useTypingText(chatKey);
  return (
    <>
      <button
        type="button"
        className={styles.avatar}
        aria-label={t("card.open", { name: person.name })}
        onClick={(event) => openUserCard(userId, event.currentTarget)}
      >
        <ChatAvatar appearance={appearance} size={36} />
      </button>
      <Title name={appearance.name} note={subtitle} typing={typing} overTitle={overTitle} />
    </>
  );
}

interface GroupTitleProps {
  chatKey: ChatKey;
  groupId: number;
  overTitle: ReactNode;
}

/** Name and size of a group. If I gave it a remark, its real name is shown below. */
function GroupTitle({ chatKey, groupId, overTitle }: GroupTitleProps) {
  const typing = useTypingText(chatKey);
  const group = useGroup(groupId);
  const ownName = useClientState((state) => state.groups.byId[groupId]?.name ?? group.name);
  return (
    <Title
      name={group.name}
      membersCount={group.isGone ? 0 : group.membersCount}
      note={ownName === group.name ? undefined : ownName}
      typing={typing}
      overTitle={overTitle}
    />
  );
}

interface TitleProps {
  name: string;
  /** 0 or nothing: it is not shown. */
  membersCount?: number;
  /** The line below the name. */
  note?: string | undefined;
  /** Who types, in place of the note. */
  typing?: string | null;
  /** What lies over all of it. */
  overTitle?: ReactNode;
}

function Title({ name, membersCount = 0, note, typing = null, overTitle }: TitleProps) {
  const t = useText();
  return (
    <Stack grow className={styles.lines}>
      <Row align="baseline" gap={8} shrink>
        <Text as="h1" truncate size={16} weight="title" textAlign="start" className={styles.title}>
          <bdi>{name}</bdi>
        </Text>
        {membersCount > 0 && (
          <Text shrink={false} size={13} tone="tertiary">
            <span aria-hidden="true">{membersCount}</span>
            <span className="visually-hidden">{t("chat.membersCount", { count: membersCount })}</span>
          </Text>
        )}
      </Row>
      {(typing || note) && (
        <Text
          as="p"
          truncate
          size={12}
          line={16}
          tone={typing === null ? "tertiary" : "accent"}
          textAlign="start"
          // Without a note there is no line for it, and the name must not move.
          className={note ? undefined : styles.lineBelow}
        >
          <bdi>{typing ?? note}</bdi>
        </Text>
      )}
      {overTitle}
    </Stack>
  );
}

/** Opens the panel. On phones it lies over the title, because a button beside the others would leave a name no room. */
function PanelButton({ label, isOverTitle }: { label: string; isOverTitle: boolean }) {
  const { isOpen, isDocked, open, close } = useSidePanel();
  if (isOverTitle) {
    return (
      <button
        type="button"
        className={styles.overTitle}
        aria-label={label}
        aria-expanded={isOpen}
        onClick={isOpen ? close : open}
      />
    );
  }
  return (
    <IconButton
      label={label}
      isOn={isOpen && isDocked}
      aria-expanded={isOpen}
      onClick={isOpen ? close : open}
    >
      <PanelRight {...ICON_PROPS} />
    </IconButton>
  );
}

function SystemTitle({ chatKey }: { chatKey: ChatKey }) {
  const t = useText();
  const appearance = useChatAppearance(chatKey);
  return (
    <>
      <ChatAvatar appearance={appearance} size={36} />
      <Title name={appearance.name} note={t("system.hint")} />
    </>
  );
}
