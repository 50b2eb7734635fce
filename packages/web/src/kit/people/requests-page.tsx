import type { ReactNode } from "react";
import { ChevronLeft } from "lucide-react";
import { useRef } from "react";
import { IconButton, Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { RequestsIllustration } from "../../ui/lazy-illustrations.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { goUp, goDown } from "../dialogs/go-up.ts";
import { useText } from "../i18n/i18n.ts";
import styles from "./requests-page.module.css";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Card, Row, Stack, Text } from "../../ui/layout.tsx";
import { usePaneLayout } from "../../ui/list-pane.tsx";
import { openUserCard } from "../dialogs/open-dialog.ts";
import { useClient } from "../loading/use-client.ts";

interface RequestsPageProps {
  title: string;
  /** Where the button "Back" of small screens leads. */
  parentPath: string;
  /** Whether it is known which requests there are. */
  isLoaded: boolean;
  /** The cards of all unanswered requests. */
  cards: readonly ReactNode[];
}

/** A page with all unanswered requests of an area. */
export function RequestsPage({ title, parentPath, isLoaded, cards }: RequestsPageProps) {
  const t = useText();
  const isMobile = useIsMobile();
  return (
    <Stack grow scroll>
      <Row as="header" gap={4} shrink={false} paddingX={24} className={styles.bar}>
        {isMobile && (
          <IconButton label={t("friend.back")} onClick={() => goUp(parentPath)}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
        )}
        <Text as="h1" size={16} weight="title" className={styles.title}>
          {title}
        </Text>
      </Row>
      {cards.length > 0 ? (
        <div className={styles.column}>{cards}</div>
      ) : isLoaded ? (
        <EmptyState illustration={<RequestsIllustration />} text={t("request.none")} />
      ) : (
        <SkeletonRows />
      )}
    </Stack>
  );
}

/** Number of requests shown above a list. */
const SHOWN_MAX = 2;

interface RequestsBlockProps {
  title: string;
  icon: ReactNode;
  /** Number of requests that wait for my answer. The badge of the area shows it, so the block itself only does in a collapsed list. */
  count: number;
  /** The path of the page with all of them. */
  allPath: string;
  /** The cards of all unanswered requests. */
  cards: readonly ReactNode[];
}

/**
 * Unanswered requests above a list, received and sent ones. If there are more than the list has room for, a button leads to the page with
 * all of them. In a collapsed list it is a button that expands the list.
 */
export function RequestsBlock({ title, icon, count, allPath, cards }: RequestsBlockProps) {
  const t = useText();
  const { isCollapsed, setCollapsed } = usePaneLayout();
  const block = useRef<HTMLElement>(null);
  if (isCollapsed) {
    const expand = () => {
      setCollapsed(false);
      // The button no longer exists then.
      requestAnimationFrame(() => block.current?.focus());
    };
    return (
      <Stack align="center" justify="center" shrink={false} className={styles.folded}>
        <IconButton
          label={count > 0 ? `${title}${t("app.listSeparator")}${count}` : title}
          tooltipSide="right"
          aria-expanded={false}
          onClick={expand}
        >
          {icon}
          <Badge count={count} className={styles.corner} />
        </IconButton>
      </Stack>
    );
  }
  return (
    <section ref={block} className={styles.requests} aria-label={title} tabIndex={0}>
      <Row gap={12} paddingX={12} weight="name" className={styles.blockTitle}>
        <Avatar name="" id={2} size={32} icon={icon} />
        <Text as="h2" grow truncate className={styles.grow}>
          {title}
        </Text>
        {cards.length > SHOWN_MAX && (
          <Text shrink={false} className={styles.more}>
            <Button variant="ghost" size="small" onClick={() => goDown(allPath)}>
              {t("request.all", { count: cards.length })}
            </Button>
          </Text>
        )}
      </Row>
      {cards.slice(0, SHOWN_MAX)}
    </section>
  );
}

interface RequestCardProps {
  requestId: number;
  person: { readonly id: number; readonly name: string; readonly picture: string | null };
  /** What the person wants. */
  note: string;
  /** A line of our own above the person's remark. */
  more?: string | null;
  remark: string;
  /** The buttons to answer with. */
  children: ReactNode;
}

/** One request: the person, what they want, their remark, and the buttons. */
export function RequestCard({ requestId, person, note, more = null, remark, children }: RequestCardProps) {
  const t = useText();
  const client = useClient();
  const { id, name, picture } = person;
  return (
    <Card as="article" padding={12} className={styles.card} aria-label={name} data-request={requestId}>
      <Row
        as="button"
        type="button"
        gap={8}
        className={styles.person}
        onClick={(event) => openUserCard(id, event.currentTarget)}
      >
        <span className="visually-hidden">{t("card.open", { name })}</span>
        <Avatar name={name} url={picture === null ? null : client.fileUrl(picture)} id={id} size={32} />
        <Stack as="span" grow>
          <Text truncate line={18} weight="name" textAlign="start" aria-hidden="true">
            <bdi>{name}</bdi>
          </Text>
          <Text truncate size={12} line={16} tone="tertiary" textAlign="start">
            {note}
          </Text>
        </Stack>
      </Row>
      {more !== null && (
        <Text as="p" marginTop={8} size={13} line={18} tone="secondary">
          {more}
        </Text>
      )}
      {remark !== "" && (
        <Text as="p" marginTop={8} size={13} line={18} tone="secondary" dir="auto">
          {remark}
        </Text>
      )}
      {children}
    </Card>
  );
}

/** Lays out the buttons of an answer side by side. */
export function RequestActions({ children }: { children: ReactNode }) {
  return (
    <Row wrap gap={8} align="stretch" marginTop={12} className={styles.actions}>
      {children}
    </Row>
  );
}

interface ApproveOrRejectProps {
  isBusy: boolean;
  answer: (how: "approve" | "reject") => void;
}

/** The buttons to approve or reject a request. */
export function ApproveOrReject({ isBusy, answer }: ApproveOrRejectProps) {
  const t = useText();
  return (
    <RequestActions>
      <Button variant="primary" size="small" isWide isBusy={isBusy} onClick={() => answer("approve")}>
        {t("request.approve")}
      </Button>
      <Button size="small" isWide isBusy={isBusy} onClick={() => answer("reject")}>
        {t("request.reject")}
      </Button>
    </RequestActions>
  );
}

/** A note instead of buttons, when others have to answer. */
export function RequestPendingNote({ text }: { text: string }) {
  return (
    <Text as="p" marginTop={8} size={12} line={16} tone="tertiary">
      {text}
    </Text>
  );
}
