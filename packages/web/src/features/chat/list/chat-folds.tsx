import { useEffect } from "react";
import { Archive, BellOff, ChevronLeft, type LucideIcon } from "lucide-react";
import { type ChatFold, type ChatView, type FoldSummary, isFold } from "@parley/core/model/chats/chat-filter";
import { useText } from "../../../kit/i18n/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_24 } from "../../../ui/icon-props.ts";
import { Text } from "../../../ui/layout.tsx";
import { ListRow } from "../../../ui/listbox.tsx";
import { usePaneLayout } from "../../../ui/list-pane.tsx";
import { useIsMobile } from "../../../ui/use-media.ts";
import { chooseChatView } from "./chat-filters.tsx";
import rowStyles from "./chat-row.module.css";
import styles from "./chat-folds.module.css";

const ICONS: Record<ChatFold, LucideIcon> = { archived: Archive, mutedGroups: BellOff };

interface FoldRowProps {
  id: string;
  summary: FoldSummary;
  /** 1-based. */
  position: number;
  count: number;
  /** The row that arrow keys have reached. */
  isActive: boolean;
  isCollapsed: boolean;
  onOpen: () => void;
}

/** The row of a folded part of the chat list. */
export function FoldRow({ summary, isCollapsed, onOpen, ...row }: FoldRowProps) {
  const t = useText();
  const { fold, hasUnread, mention } = summary;
  const name = t(`chatFold.${fold}`, { count: summary.count });
  const Icon = ICONS[fold];
  const label = [
    name,
    hasUnread && t("chatFold.unread"),
    mention !== null && t(`chat.${mention}Label`),
  ].filter(Boolean);
  const badge = (className?: string) => (
    <Badge count={0} isMuted isMarked={hasUnread} className={className} />
  );
  return (
    <ListRow
      {...row}
      isSelected={false}
      isCollapsed={isCollapsed}
      isLow
      data-fold={fold}
      onClick={onOpen}
      label={label.join(t("app.listSeparator"))}
      tooltip={label.join("\n")}
      picture={
        <span className={styles.picture}>
          <Icon {...ICON_PROPS} />
        </span>
      }
      corner={badge(rowStyles.corner)}
      name={name}
      second={mention === null ? undefined : <span className={styles.mention}>{t(`chat.${mention}`)}</span>}
      end={badge()}
    />
  );
}

/** The bar above the chats of a folded part, with the way back to the list. */
export function FoldHeader({ fold, count }: { fold: ChatFold; count: number }) {
  const t = useText();
  const isMobile = useIsMobile();
  const { isCollapsed } = usePaneLayout();
  return (
    <>
      <IconButton
        label={t("chat.back")}
        onClick={(event) => {
          // The button leaves the page, and the list stays.
          event.currentTarget
            .closest("[data-landmark]")
            ?.querySelector<HTMLElement>("[role=listbox]")
            ?.focus();
          leaveFold();
        }}
      >
        <ChevronLeft {...ICON_PROPS_24} />
      </IconButton>
      {!isCollapsed && (
        <Text as={isMobile ? "h1" : "h2"} grow size={isMobile ? 20 : 16} weight="title">
          {t(`chatFold.${fold}`, { count })}
        </Text>
      )}
    </>
  );
}

/** Shows the chats of a folded part. `isMobile`: Back leads to the list again, as people expect on phones. */
export function openFold(fold: ChatFold, isMobile: boolean): void {
  if (isMobile) history.pushState({ ...(history.state as object | null), [MARK]: true }, "");
  chooseChatView(fold);
}

/** Shows the list again. */
export function leaveFold(): void {
  if (isOnFoldEntry()) history.back();
  else chooseChatView("all");
}

/** Leaves a folded part by Back on phones, and when it has no chat any more. */
export function useFoldEnd(view: ChatView, isEmpty: boolean): void {
  const isMobile = useIsMobile();
  const isOpen = isFold(view);
  useEffect(() => {
    if (!isOpen || !isMobile) return;
    const handlePop = () => {
      if (!isOnFoldEntry()) chooseChatView("all");
    };
    window.addEventListener("popstate", handlePop);
    return () => window.removeEventListener("popstate", handlePop);
  }, [isOpen, isMobile]);
  useEffect(() => {
    if (isOpen && isEmpty) leaveFold();
  }, [isOpen, isEmpty]);
}

/** Marks the history entry of a folded part. A chat that is opened from it has an entry above it. */
const MARK = "fold";

function isOnFoldEntry(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && MARK in state;
}
