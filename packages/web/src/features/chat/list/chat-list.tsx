import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type ChatFold, type ChatView, type FoldSummary, isFold } from "@parley/core/model/chats/chat-filter";
import type { ChatKey } from "@parley/core/model/state";
import { chatNameOf } from "../../../kit/chats/chat-name.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../kit/loading/lazy-component.tsx";
import {
  CHAT_COMMAND_SHORTCUTS,
  isShortcut,
  type ChatCommandShortcut,
} from "../../../kit/settings/shortcuts.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { useTypeahead } from "../../../kit/search/use-typeahead.ts";
import { Listbox } from "../../../ui/listbox.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import type { RowListHandle } from "../../../ui/row-list.tsx";
import { useListbox } from "../../../ui/use-listbox.ts";
import { useIsMobile } from "../../../ui/use-media.ts";
import { useMenuPoint } from "../../../ui/use-menu-point.ts";
import type { Point } from "../../../ui/use-menu-point.ts";
import { FoldRow, leaveFold, openFold } from "./chat-folds.tsx";
import { ChatRow } from "./chat-row.tsx";
import { useStableOrder } from "./use-stable-order.ts";

const ROW_PX = 64;
const MOBILE_ROW_PX = 72;
const FOLD_PX = 56;
const MOBILE_FOLD_PX = 64;

const ChatMenu = lazyComponent(() => import("./chat-menu.tsx").then((part) => part.ChatMenu));

interface ChatListProps {
  /** The current order. While the mouse is over the list, rows stay in place. */
  keys: readonly ChatKey[];
  /** Rows that are not in `keys` any more stay under the mouse if they are still among these. */
  existingKeys: readonly ChatKey[];
  /** The folded parts, whose rows come first and never move. */
  folds: readonly FoldSummary[];
  view: ChatView;
  openKey: ChatKey | null;
  isCollapsed: boolean;
  onOpen: (key: ChatKey) => void;
  /** The open chat was deleted from the list. */
  onOpenChatRemoved: () => void;
}

/** A request to open the menu of a chat at a point, or the dialog of the command that has a shortcut. */
interface MenuRequest {
  readonly key: ChatKey;
  readonly request: Point | ChatCommandShortcut;
}

/** A row of the list: a chat or a folded part. */
type RowKey = ChatKey | FoldKey;
type FoldKey = `fold:${ChatFold}`;

const foldKey = (fold: ChatFold): FoldKey => `fold:${fold}`;
const isChat = (key: RowKey): key is ChatKey => !key.startsWith("fold:");

const SHORTCUTS = Object.keys(CHAT_COMMAND_SHORTCUTS) as ChatCommandShortcut[];

/** The list of chats. */
export function ChatList(props: ChatListProps) {
  const { keys, existingKeys, folds, view, openKey, isCollapsed, onOpen, onOpenChatRemoved } = props;
  const t = useText();
  const isMobile = useIsMobile();
  const heightOf = useCallback(
    (key: RowKey) =>
      isChat(key) ? (isMobile ? MOBILE_ROW_PX : ROW_PX) : isMobile ? MOBILE_FOLD_PX : FOLD_PX,
    [isMobile],
  );
  const list = useRef<RowListHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const [menuRequest, setMenuRequest] = useState<MenuRequest | null>(null);
  const { order, pointerHandlers, unfreeze } = useStableOrder(keys, existingKeys, view);
  const rows = useMemo<readonly RowKey[]>(
    () => [...folds.map(({ fold }) => foldKey(fold)), ...order],
    [folds, order],
  );
  const summaryOf = (key: RowKey) => folds.find(({ fold }) => foldKey(fold) === key);
  const client = useClient();
  const typeahead = useTypeahead(rows, (key) => {
    const summary = summaryOf(key);
    if (summary !== undefined) return t(`chatFold.${summary.fold}`, { count: summary.count });
    return isChat(key) ? chatNameOf(key, client.getState(), t) : "";
  });
  const open = (key: RowKey) => {
    const summary = summaryOf(key);
    if (summary !== undefined) openFold(summary.fold, isMobile);
    else if (isChat(key)) onOpen(key);
  };
  const { active, optionId, moveTo, listProps } = useListbox({
    keys: rows,
    selected: openKey,
    pageSize: () => list.current?.pageSize() ?? 1,
    reveal: (index) => list.current?.reveal(index),
    onOpen: open,
    onOtherKey(event, key) {
      if (event.key === "Escape" && isFold(view)) {
        leaveFold();
        return true;
      }
      const isMenu = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
      const shortcut = SHORTCUTS.find((name) => isShortcut(event.nativeEvent, name));
      const request = isMenu ? belowRow(optionId(key)) : shortcut;
      if (request === undefined || !isChat(key)) {
        const match = typeahead(event, key);
        if (match !== null) moveTo(match);
        return match !== null;
      }
      setMenuRequest({ key, request });
      return true;
    },
  });
  const menuHandlers = useMenuPoint((target, point) => {
    const row = target.closest<HTMLElement>("[data-chat]");
    const key = order.find((one) => one === row?.dataset["chat"]);
    if (key === undefined) return false;
    setMenuRequest({ key, request: point });
    return true;
  });

  // What another filter shows begins at its top.
  const scrolledView = useRef(view);
  useLayoutEffect(() => {
    if (scrolledView.current !== view) list.current?.scrollTo(0);
    scrolledView.current = view;
  }, [view]);

  // Scroll to the open chat's row, e.g. after a shortcut or a link opened the chat.
  const openIndex = openKey === null ? -1 : rows.indexOf(openKey);
  const revealedKey = useRef<ChatKey | null>(null);
  useEffect(() => {
    if (revealedKey.current === openKey || (openKey !== null && openIndex < 0)) return;
    revealedKey.current = openKey;
    if (openIndex >= 0) list.current?.reveal(openIndex);
  }, [openKey, openIndex]);

  return (
    <Listbox
      ref={box}
      aria-label={isFold(view) ? t(`chatFold.${view}`, { count: keys.length }) : t("chat.list")}
      {...listProps}
      {...menuHandlers}
      {...pointerHandlers}
      onPointerMove={(event) => {
        pointerHandlers.onPointerMove(event);
        menuHandlers.onPointerMove(event);
      }}
      // Rows that the filter leaves out after a click would give way to others under the pointer.
      onClick={view === "all" || isFold(view) ? unfreeze : undefined}
    >
      <RowList ref={list} items={rows} keyOf={String} rowHeight={heightOf} keepMounted={active} isInScroller>
        {(key, index) => {
          const row = {
            id: optionId(key),
            position: index + 1,
            count: rows.length,
            isActive: index === active,
            isCollapsed,
          };
          const summary = summaryOf(key);
          if (summary !== undefined) return <FoldRow {...row} summary={summary} onOpen={() => open(key)} />;
          return isChat(key) && <ChatRow {...row} chatKey={key} isOpen={key === openKey} onOpen={onOpen} />;
        }}
      </RowList>
      {menuRequest !== null && (
        <ChatMenu
          chatKey={menuRequest.key}
          request={menuRequest.request}
          opener={box.current}
          onClose={() => setMenuRequest(null)}
          onMissing={() => setMenuRequest(null)}
          onRemoved={() => {
            if (menuRequest.key === openKey) onOpenChatRemoved();
          }}
        />
      )}
    </Listbox>
  );
}

function belowRow(id: string): Point {
  const row = document.getElementById(id)?.getBoundingClientRect();
  return { x: (row?.left ?? 0) + 12, y: row?.bottom ?? 0 };
}
