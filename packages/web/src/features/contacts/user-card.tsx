import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from "react";
import { MessageSquare, NotebookPen, Phone, UserRoundPen, UserRoundPlus, Video } from "lucide-react";
import type { RequestSource } from "@parley/protocol/codes";
import type { CallMode } from "@parley/protocol/entities";
import { AvatarOpener } from "../../kit/people/avatar-opener.tsx";
import { useBanned, type Person, usePerson } from "../../kit/people/person.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { BlockedChip, PersonActionsMenu } from "../../kit/people/person-actions-menu.tsx";
import { Presence } from "./presence.tsx";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Card, Row, Stack, Text } from "../../ui/layout.tsx";
import { watchOutsidePresses } from "../../ui/use-close-on-outside-press.ts";
import { useTextScale } from "../../ui/use-text-scale.ts";
import { openChatWith } from "./open-chat-with.ts";
import styles from "./user-card.module.css";

interface UserCardProps {
  userId: number;
  /** The clicked point. */
  x: number;
  y: number;
  source?: RequestSource | undefined;
  onClose: () => void;
}

/** A person's card beside the clicked point (spec §2). Esc or a click outside closes it; the focus returns to where it was. */
export function UserCard({ userId, x, y, source, onClose }: UserCardProps) {
  const t = useText();
  const client = useClient();
  const person = usePerson(userId);
  const areContactsLoaded = useClientState((state) => state.contacts.isLoaded);
  const friend = useClientState((state) => state.contacts.friends[userId]);
  const user = useClientState((state) => state.contacts.users[userId]);
  const card = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    void client.contacts.loadUser(userId);
  }, [client, userId]);
  useLayoutEffect(() => {
    const element = card.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useDismiss(card, onClose);

  const isFriend = person.relation === "friend";
  const scale = useTextScale();
  const view = { width: window.innerWidth, height: window.innerHeight };
  const position = positionCard({ x, y }, view, height, scale);
  const banned = useBanned(userId);
  const userName = user?.userName ?? friend?.userName;
  const openChat = () => {
    onClose();
    openChatWith(userId);
  };
  const call = (mode: CallMode) => {
    onClose();
    client.calls.start(userId, mode);
  };
  return (
    <Card
      ref={card}
      variant="raised"
      padding={20}
      className={styles.card}
      data-sheet
      style={{ insetInlineStart: position.x, insetBlockStart: position.y } satisfies CSSProperties}
      role="dialog"
      aria-label={t("card.title", { name: person.name })}
      tabIndex={-1}
    >
      <Row gap={16}>
        <AvatarOpener name={person.name} url={person.wholePicture} thumbUrl={person.picture}>
          <Avatar name={person.name} url={person.picture} id={userId} size={56} />
        </AvatarOpener>
        <Text as="div" grow>
          <Text as="div" truncate size={16} line={24} weight="title" textAlign="start">
            <bdi>{person.name}</bdi>
          </Text>
          <BlockedChip userId={userId} />
          {userName !== undefined && (
            <Text as="div" truncate size={12} line={16} tone="tertiary" textAlign="start">
              {userName}
            </Text>
          )}
        </Text>
      </Row>
      {user?.signature && (
        <Text as="p" size={13} line={20} tone="secondary" className={styles.signature} dir="auto">
          {user.signature}
        </Text>
      )}
      {banned !== null && <p className={styles.banned}>{banned}</p>}
      {isFriend && (
        <Text as="dl" size={13} line={20} className={styles.facts}>
          <dt>{t("card.status")}</dt>
          <dd>
            <Presence userId={userId} />
          </dd>
          {friend !== undefined && friend.nickName !== person.name && (
            <>
              <dt>{t("friend.nickName")}</dt>
              <dd dir="auto">{friend.nickName}</dd>
            </>
          )}
        </Text>
      )}
      {person.relation === "me" && <OwnActions onOpenChat={openChat} />}
      {(areContactsLoaded || isFriend) && person.relation !== "me" && (
        <ActionsWithPerson person={person} source={source} onOpenChat={openChat} onCall={call} />
      )}
    </Card>
  );
}

function OwnActions({ onOpenChat }: { onOpenChat: () => void }) {
  const t = useText();
  return (
    <Stack gap={8} className={styles.ownActions}>
      <Button
        variant="primary"
        isWide
        icon={<UserRoundPen {...ICON_PROPS} />}
        onClick={() => openDialog({ kind: "profile" })}
      >
        {t("profile.edit")}
      </Button>
      <Button isWide icon={<NotebookPen {...ICON_PROPS} />} onClick={onOpenChat}>
        {t("chat.self")}
      </Button>
    </Stack>
  );
}

interface ActionsWithPersonProps extends Pick<UserCardProps, "source"> {
  person: Person;
  onOpenChat: () => void;
  onCall: (mode: CallMode) => void;
}

/** Writes to a friend or calls them, or asks to become one, and what else can be done with a person. */
function ActionsWithPerson({ person, source, onOpenChat, onCall }: ActionsWithPersonProps) {
  const t = useText();
  const { id, name } = person;
  return (
    <Row gap={8} wrap className={styles.actions}>
      {person.relation === "friend" ? (
        <>
          <Button variant="primary" isWide icon={<MessageSquare {...ICON_PROPS} />} onClick={onOpenChat}>
            {t("friend.message")}
          </Button>
          <IconButton label={t("call.voice")} size={36} onClick={() => onCall("voice")}>
            <Phone {...ICON_PROPS} />
          </IconButton>
          <IconButton label={t("call.video")} size={36} onClick={() => onCall("video")}>
            <Video {...ICON_PROPS} />
          </IconButton>
        </>
      ) : (
        <Button
          variant="primary"
          isWide
          icon={<UserRoundPlus {...ICON_PROPS} />}
          onClick={() => openDialog({ kind: "applyFriend", userId: id, name, source })}
        >
          {t("friend.add")}
        </Button>
      )}
      <PersonActionsMenu userId={id} name={name} />
    </Row>
  );
}

/** Moves the focus into the card and back at its end. Esc, a press outside and a resize of the window close the card. */
function useDismiss(card: { readonly current: HTMLElement | null }, onClose: () => void): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useEffect(() => {
    const opener = document.activeElement;
    const element = card.current;
    element?.focus({ preventScroll: true });
    const closeCard = () => close.current();
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) closeCard();
    };
    document.addEventListener("keydown", handleKeyDown);
    const endWatch = watchOutsidePresses(
      // The menu of the card and the picture that it opens are rendered outside of it.
      (target) =>
        element?.contains(target) !== false || target.closest('[role="menu"], [aria-modal="true"]') !== null,
      closeCard,
    );
    window.addEventListener("resize", closeCard);
    return () => {
      document.removeEventListener("keydown", handleKeyDown);
      endWatch();
      window.removeEventListener("resize", closeCard);
      if (opener instanceof HTMLElement && element?.contains(document.activeElement)) opener.focus();
    };
  }, [card]);
}

/** Minimum distance of the card from the right and the bottom edge of the window (spec §2). */
const FROM_RIGHT_PX = 350;
const FROM_BOTTOM_PX = 200;
const EDGE_PX = 8;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Position of the card's upper left corner. A card taller than the distance to the bottom is moved up until it is completely visible. */
export function positionCard(
  clicked: Point,
  view: { width: number; height: number },
  cardHeight: number,
  /** The factor of the text size, with which the card grows. */
  scale = 1,
): Point {
  const maxY = Math.min(view.height - FROM_BOTTOM_PX, view.height - cardHeight - EDGE_PX);
  return {
    x: Math.max(EDGE_PX, Math.min(clicked.x, view.width - FROM_RIGHT_PX * scale)),
    y: Math.max(EDGE_PX, Math.min(clicked.y, maxY)),
  };
}
