import { useEffect, useRef, useState } from "react";
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
import { ChatRow } from "./chat-row.tsx";
import { useStableOrder } from "./use-stable-order.ts";

const ROW_PX = 64;
const MOBILE_ROW_PX = 72;

const ChatMenu = lazyComponent(() => import("./chat-menu.tsx").then((part) => part.ChatMenu));

interface ChatListProps {
  /** The current order. While the mouse is over the list, rows stay in place. */
  keys: readonly ChatKey[];
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

const SHORTCUTS = Object.keys(CHAT_COMMAND_SHORTCUTS) as ChatCommandShortcut[];

/** The list of chats. */
export function ChatList({ keys, openKey, isCollapsed, onOpen, onOpenChatRemoved }: ChatListProps) {
  const t = useText();
  const rowHeight = useIsMobile() ? MOBILE_ROW_PX : ROW_PX;
  const list = useRef<RowListHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const [menuRequest, setMenuRequest] = useState<MenuRequest | null>(null);
  const { order, pointerHandlers, unfreeze } = useStableOrder(keys);
  const client = useClient();
  const typeahead = useTypeahead(order, (key) => chatNameOf(key, client.getState(), t));
  const { active, optionId, moveTo, listProps } = useListbox({
    keys: order,
    selected: openKey,
    pageSize: () => list.current?.pageSize() ?? 1,
    reveal: (index) => list.current?.reveal(index),
    onOpen,
    onOtherKey(event, key) {
      const isMenu = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
      const shortcut = SHORTCUTS.find((name) => isShortcut(event.nativeEvent, name));
      const request = isMenu ? belowRow(optionId(key)) : shortcut;
      if (request === undefined) {
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

  // Scroll to the open chat's row, e.g. after a shortcut or a link opened the chat.
  const openIndex = openKey === null ? -1 : order.indexOf(openKey);
  const revealedKey = useRef<ChatKey | null>(null);
  useEffect(() => {
    if (revealedKey.current === openKey || (openKey !== null && openIndex < 0)) return;
    revealedKey.current = openKey;
    if (openIndex >= 0) list.current?.reveal(openIndex);
  }, [openKey, openIndex]);

  return (
    <Listbox
      ref={box}
      aria-label={t("chat.list")}
      {...listProps}
      {...menuHandlers}
      {...pointerHandlers}
      onPointerMove={(event) => {
        pointerHandlers.onPointerMove(event);
        menuHandlers.onPointerMove(event);
      }}
      onClick={unfreeze}
    >
      <RowList
        ref={list}
        items={order}
        keyOf={String}
        rowHeight={rowHeight}
        keepMounted={active}
        isInScroller
      >
        {(key, index) => (
          <ChatRow
            id={optionId(key)}
            chatKey={key}
            position={index + 1}
            count={order.length}
            isOpen={key === openKey}
            isActive={index === active}
            isCollapsed={isCollapsed}
            onOpen={onOpen}
          />
        )}
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
