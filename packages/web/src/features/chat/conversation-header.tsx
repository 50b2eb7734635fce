import { ChevronLeft, PanelRight, Search } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import type { ChatKey } from "@parley/core/model/state";
import { goUp } from "../../kit/go-up.ts";
import { ChatAvatar } from "../../kit/chat-avatar.tsx";
import { useChatAppearance } from "../../kit/chat-name.ts";
import { useGroup } from "../../kit/group.ts";
import { useText } from "../../kit/i18n.ts";
import { lazyComponent } from "../../kit/lazy-component.tsx";
import { usePerson, usePresence } from "../../kit/person.ts";
import { totalUnread } from "@parley/core/model/selectors";
import { useClientState } from "../../kit/use-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { useIsMobile } from "../../ui/use-media.ts";
import { openUserCard } from "../../kit/open-user-card.ts";
import { CallButtons } from "./call-buttons.tsx";
import { useSidePanel } from "./panel/use-side-panel.ts";
import styles from "./conversation-header.module.css";

const GroupCallButton = lazyComponent(() =>
  import("./group-modules.ts").then((part) => part.GroupCallButton),
);

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
  return (
    <header className={styles.header}>
      {isMobile && <BackButton />}
      {type === ChatType.PRIVATE && <PersonTitle chatKey={chatKey} userId={targetId} />}
      {type === ChatType.GROUP && <GroupTitle groupId={targetId} />}
      {type === ChatType.SYSTEM && <SystemTitle chatKey={chatKey} />}
      {type === ChatType.PRIVATE && <CallButtons userId={targetId} />}
      {type === ChatType.GROUP && (
        <GroupCallButton groupId={targetId} waiting={<span className={styles.button} />} />
      )}
      {type !== ChatType.SYSTEM && (
        <IconButton label={t("chat.find")} onClick={onSearch}>
          <Search {...ICON_PROPS} />
        </IconButton>
      )}
      {type !== ChatType.SYSTEM && (
        <PanelButton key={chatKey} label={t(type === ChatType.GROUP ? "chat.groupInfo" : "chat.info")} />
      )}
    </header>
  );
}

function BackButton() {
  const t = useText();
  const unread = useClientState((state) => totalUnread(state.chats));
  return (
    <button
      type="button"
      className={styles.back}
      aria-label={[t("chat.back"), unread > 0 && t("chat.unreadCount", { count: unread })]
        .filter(Boolean)
        .join(t("app.listSeparator"))}
      onClick={() => goUp("/home/chat")}
    >
      <ChevronLeft {...ICON_PROPS_24} />
      <Badge count={unread} />
    </button>
  );
}

function PersonTitle({ chatKey, userId }: { chatKey: ChatKey; userId: number }) {
  const t = useText();
  const appearance = useChatAppearance(chatKey);
  const person = usePerson(userId);
  const presence = usePresence(userId);
  const isKnown = useClientState((state) => state.contacts.isLoaded);
  const subtitle = {
    me: t("chat.notes"),
    friend: presence,
    ended: t("person.notFriend"),
    stranger: t(isKnown ? "person.notFriend" : "presence.unknown"),
  }[person.relation];
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
      <div className={styles.lines}>
        <h1 className={styles.title}>
          <bdi>{appearance.name}</bdi>
        </h1>
        <p className={styles.presence}>{subtitle}</p>
      </div>
    </>
  );
}

/** Name and size of a group. If I gave it a remark, its real name is shown below. */
function GroupTitle({ groupId }: { groupId: number }) {
  const t = useText();
  const group = useGroup(groupId);
  const ownName = useClientState((state) => state.groups.byId[groupId]?.name ?? group.name);
  return (
    <div className={styles.lines}>
      <div className={styles.line}>
        <h1 className={styles.title}>
          <bdi>{group.name}</bdi>
        </h1>
        {group.membersCount > 0 && !group.isGone && (
          <span className={styles.count}>
            <span aria-hidden="true">{group.membersCount}</span>
            <span className="visually-hidden">{t("chat.membersCount", { count: group.membersCount })}</span>
          </span>
        )}
      </div>
      {ownName !== group.name && (
        <p className={styles.presence}>
          <bdi>{ownName}</bdi>
        </p>
      )}
    </div>
  );
}

function PanelButton({ label }: { label: string }) {
  const { isOpen, isDocked, open, close } = useSidePanel();
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
      <div className={styles.lines}>
        <h1 className={styles.title}>{appearance.name}</h1>
        <p className={styles.presence}>{t("system.hint")}</p>
      </div>
    </>
  );
}
