import { useMemo, useRef } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { useListbox } from "../../../ui/use-listbox.ts";
import { useIsMobile } from "../../../ui/use-media.ts";
import { VirtualList } from "../../../ui/virtual-list.tsx";
import type { VirtualListHandle } from "../../../ui/virtual-list.tsx";
import { ChatRow } from "./chat-row.tsx";
import { useHeldOrder } from "./use-held-order.ts";
import styles from "./chat-list.module.css";

const ROW_PX = 64;
const MOBILE_ROW_PX = 72;

interface ChatListProps {
  /** Wanted order; while the pointer is inside, rows stay where they are. */
  keys: readonly ChatKey[];
  openKey: ChatKey | null;
  isCollapsed: boolean;
  onOpen: (key: ChatKey) => void;
}

/** The chats. */
export function ChatList({ keys, openKey, isCollapsed, onOpen }: ChatListProps) {
  const t = useText();
  const rowHeight = useIsMobile() ? MOBILE_ROW_PX : ROW_PX;
  const list = useRef<VirtualListHandle>(null);
  const { order, handlers } = useHeldOrder(keys);
  const { active, optionId, listProps } = useListbox({
    keys: order,
    selected: openKey,
    pageSize: () => Math.max(1, Math.floor((list.current?.viewportSize ?? 0) / rowHeight) - 1),
    reveal: (index) => list.current?.scrollToIndex(index, { align: "nearest" }),
    onOpen,
  });
  const keepMounted = useMemo(() => [active], [active]);
  return (
    <div className={styles.list} aria-label={t("chat.list")} {...listProps} {...handlers}>
      <VirtualList
        ref={list}
        items={order}
        rowHeight={rowHeight}
        keepMounted={keepMounted}
        className={styles.scroller}
      >
        {(key, index) => (
          <ChatRow
            key={key}
            id={optionId(key)}
            chatKey={key}
            place={index + 1}
            count={order.length}
            isOpen={key === openKey}
            isActive={index === active}
            isCollapsed={isCollapsed}
            onOpen={onOpen}
          />
        )}
      </VirtualList>
    </div>
  );
}
