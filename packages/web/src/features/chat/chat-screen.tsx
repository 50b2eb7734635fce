import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import type { KeyboardEvent } from "react";
import { Plus, Search } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import { isFold } from "@parley/core/model/chats/chat-filter";
import { isChatListLoading } from "@parley/core/model/chats/first-chats";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { useParams } from "wouter";
import { Announcement } from "../../kit/dialogs/announcement.tsx";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { goDown, goUp } from "../../kit/dialogs/go-up.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../kit/loading/lazy-component.tsx";
import { isOnMac } from "../../kit/settings/shortcuts.ts";
import { useUserSetting } from "../../kit/settings/user-settings.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ChatsIllustration } from "../../ui/illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { useImeGuard } from "../../ui/ime.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Text } from "../../ui/layout.tsx";
import { ListPane, MainPane, usePaneLayout } from "../../ui/list-pane.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { chatPath } from "../../kit/chats/show-message.ts";
import { ConversationPane } from "./conversation-pane.tsx";
import {
  ChatFilterChips,
  chooseChatView,
  NoFilteredChats,
  useChatFilterShortcuts,
  useChatView,
  useFolds,
  useShownChats,
} from "./list/chat-filters.tsx";
import { FoldHeader, useFoldEnd } from "./list/chat-folds.tsx";
import { ChatList } from "./list/chat-list.tsx";
import { useFoundChats } from "./list/use-found-chats.ts";
import { SidePanel, useSidePanel } from "./panel/side-panel.tsx";
import { useChatSearch } from "./search/use-chat-search.ts";
import { NoChat, NewcomerWelcome } from "./no-chat.tsx";
import { useChatShortcuts } from "./use-chat-shortcuts.ts";
import styles from "./chat-screen.module.css";

const FoundElsewhere = lazyComponent(() =>
  import("./list/found-elsewhere.tsx").then((part) => part.FoundElsewhere),
);

/** Number of chats that a search shows at first, so that what else it finds is in view. */
const FOUND_CHATS = 5;

const SWITCHER_KEYS = isOnMac() ? "⌘ K" : "Ctrl K";

/** `/home/chat` and `/home/chat/:key`: the list of chats and the conversation. */
export function ChatScreen() {
  const t = useText();
  const client = useClient();
  const isMobile = useIsMobile();
  const params = useParams();
  const openChat = useMemo(() => parseChatKey(params["key"] ?? ""), [params]);
  const openKey = openChat?.key ?? null;
  const [openAt] = useUserSetting("openAt");

  // Wait until the local database is read: a chat that is opened before would be empty and hide the stored one.
  const isActive = useClientState((state) => state.session.kind === "active");
  useEffect(() => {
    if (!isActive) return;
    if (openKey === null) client.chats.closeOpen();
    else if (openKey !== client.getState().chats.openKey) client.chats.open(openKey, openAt);
  }, [client, openKey, isActive, openAt]);
  useEffect(() => () => client.chats.closeOpen(), [client]);

  const goTo = useCallback(
    (key: ChatKey) => {
      // Open it together with the route change, so that both render at once.
      if (isActive) client.chats.open(key, openAt);
      goDown(chatPath(key));
    },
    [client, isActive, openAt],
  );
  const closeConversation = useCallback(() => goUp("/home/chat"), []);
  useChatShortcuts(openKey, useChatView(), useFolds(), goTo);
  const panel = useSidePanel();
  const conversation =
    openChat === null || openChat.type === ChatType.SYSTEM ? null : { ...openChat, type: openChat.type };
  const search = useChatSearch(conversation?.key ?? null);

  return (
    <>
      {(!isMobile || openChat === null) && (
        <ChatListPane openKey={openKey} onOpen={goTo} onOpenChatRemoved={closeConversation} />
      )}
      {(!isMobile || openChat !== null) && (
        <MainPane
          label={t("chat.conversation")}
          hasOwnBanner={openChat !== null}
          isCovered={isMobile && panel.isOpen && conversation !== null}
        >
          {openChat === null ? (
            <NewcomerWelcome>
              <NoChat />
            </NewcomerWelcome>
          ) : (
            <ConversationPane
              chatKey={openChat.key}
              type={openChat.type}
              targetId={openChat.targetId}
              search={search}
            />
          )}
        </MainPane>
      )}
      <Announcement />
      {conversation !== null && (
        <SidePanel type={conversation.type} targetId={conversation.targetId} onSearch={search.open} />
      )}
    </>
  );
}

interface ChatListPaneProps {
  openKey: ChatKey | null;
  onOpen: (key: ChatKey) => void;
  onOpenChatRemoved: () => void;
}

const NO_FOLDS: ReturnType<typeof useShownChats>["folds"] = [];

const openSwitcher = () => openDialog({ kind: "switcher" });

/** Opens the quick switcher, which searches more than the names in the list. */
function SwitcherButton() {
  const t = useText();
  return (
    <button
      type="button"
      className={styles.switcher}
      aria-label={`${t("nav.search")} ${SWITCHER_KEYS}`}
      data-tip={t("nav.search")}
      onClick={openSwitcher}
    >
      <Kbd>{SWITCHER_KEYS}</Kbd>
    </button>
  );
}

function ChatListPane({ openKey, onOpen, onOpenChatRemoved }: ChatListPaneProps) {
  const t = useText();
  const { isCollapsed } = usePaneLayout();
  const isMobile = useIsMobile();
  const [typed, setTyped] = useState("");
  const isSearchShown = !isMobile && !isCollapsed;
  // A list without the field shows all, because nothing would say why some are left out.
  const search = isSearchShown ? typed : "";
  const found = useFoundChats(search);
  const query = useDeferredValue(search.trim());
  const isSearching = search.trim() !== "";
  // A search looks through all chats.
  const chosenView = useChatView();
  const view = isSearching ? "all" : chosenView;
  const shown = useShownChats(found, view, openKey);
  useChatFilterShortcuts(
    useCallback((chosen) => {
      setTyped("");
      chooseChatView(chosen);
    }, []),
  );
  const [allShownFor, setAllShownFor] = useState<string | null>(null);
  const isCut = isSearching && found.length > FOUND_CHATS && allShownFor !== search;
  const inSearch = useMemo(() => (isCut ? found.slice(0, FOUND_CHATS) : found), [found, isCut]);
  const { keys, existingKeys, folds } = isSearching
    ? { keys: inSearch, existingKeys: inSearch, folds: NO_FOLDS }
    : shown;
  // The list of a folded part keeps the focus until the whole list is shown again.
  const hasRows = keys.length + folds.length > 0 || isFold(view);
  const ime = useImeGuard();
  const handleSearchKey = (event: KeyboardEvent<HTMLElement>) => {
    if (!isSearching || ime.isComposing(event) || (event.key !== "ArrowDown" && event.key !== "Enter"))
      return;
    event.preventDefault();
    const [first] = keys;
    if (event.key === "Enter" && first !== undefined) onOpen(first);
    else
      event.currentTarget.closest("[data-landmark]")?.querySelector<HTMLElement>("[role=listbox]")?.focus();
  };
  const isLoading = useClientState(isChatListLoading);
  const isPartial = useClientState((state) => isLoading || state.firstChats !== null);
  useFoldEnd(view, keys.length === 0 && !isLoading);
  return (
    <ListPane
      label={t("chat.listPane")}
      isPartial={isPartial}
      header={
        isFold(view) ? (
          <FoldHeader fold={view} count={keys.length} />
        ) : (
          <>
            {isMobile ? (
              <>
                <Text as="h1" grow size={20} weight="title">
                  {t("nav.chats")}
                </Text>
                <IconButton label={t("nav.search")} onClick={openSwitcher}>
                  <Search {...ICON_PROPS} />
                </IconButton>
              </>
            ) : (
              isSearchShown && (
                <SearchBox
                  label={t("chat.search")}
                  value={search}
                  onChange={(event) => setTyped(event.currentTarget.value)}
                  onKeyDown={handleSearchKey}
                  {...ime.handlers}
                  end={search === "" && <SwitcherButton />}
                />
              )
            )}
            <IconButton label={t("friend.add")} size={36} onClick={() => openDialog({ kind: "addFriend" })}>
              <Plus {...ICON_PROPS} />
            </IconButton>
          </>
        )
      }
    >
      {openKey === null && !isMobile && <h1 className="visually-hidden">{t("chat.list")}</h1>}
      {!isSearching && !isCollapsed && !isFold(view) && <ChatFilterChips filter={view} />}
      {hasRows || isSearching ? (
        <>
          {hasRows && (
            <ChatList
              keys={keys}
              existingKeys={existingKeys}
              folds={folds}
              view={view}
              openKey={openKey}
              isCollapsed={isCollapsed}
              onOpen={onOpen}
              onOpenChatRemoved={onOpenChatRemoved}
            />
          )}
          {isCut && (
            <button type="button" className={styles.all} onClick={() => setAllShownFor(search)}>
              {t("search.all", { count: found.length })}
            </button>
          )}
          {isSearching && <FoundElsewhere query={query} shownChats={found} onClear={() => setTyped("")} />}
        </>
      ) : isLoading ? (
        <SkeletonRows />
      ) : view !== "all" && !isFold(view) && found.length > 0 ? (
        <NoFilteredChats filter={view} />
      ) : (
        !isCollapsed && <NoChats />
      )}
    </ListPane>
  );
}

/** Shown instead of an empty list; on a small screen with the welcome for newcomers. */
function NoChats() {
  const t = useText();
  const isMobile = useIsMobile();
  const empty = (
    <EmptyState
      illustration={<ChatsIllustration />}
      text={t("chat.empty")}
      action={
        <Button variant="primary" size="small" onClick={() => openDialog({ kind: "addFriend" })}>
          {t("friend.add")}
        </Button>
      }
    />
  );
  return isMobile ? <NewcomerWelcome>{empty}</NewcomerWelcome> : empty;
}
