import { useCallback, useEffect, useMemo, useRef } from "react";
import type { KeyboardEvent, MouseEvent, PointerEvent, TouchEvent } from "react";
import type { ChatMessage } from "@parley/core/model/state";
import { isShortcut } from "../../../kit/settings/shortcuts.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { useCanWrite, useConversationUi } from "./conversation-ui.ts";
import { actionConditions, MESSAGE_ACTIONS, messageActionIds, useMessageActions } from "./message-actions.ts";
import { pictureOf } from "./media/media-content.ts";
import { isFileLost, openViewer } from "./media/media-files.ts";

/** A touch this long on a message opens its menu. */
const LONG_PRESS_MS = 500;
/** A touch that moves further is a scroll gesture. */
const MOVE_TOLERANCE_PX = 10;

/** Event handlers of a message row: secondary button, long press and keys open the menu or run actions. */
export function useRowGestures(message: ChatMessage) {
  const client = useClient();
  const ui = useConversationUi();
  const canWrite = useCanWrite();
  const runAction = useMessageActions();
  const longPress = useRef({ timer: 0, x: 0, y: 0 });
  const isLongPressed = useRef(false);

  const openMenu = useCallback(
    (x: number, y: number) => {
      if (ui.get().selected === null) ui.set({ messageMenu: { key: message.key, x, y } });
    },
    [ui, message.key],
  );
  const cancelLongPress = useCallback(() => {
    window.clearTimeout(longPress.current.timer);
    longPress.current.timer = 0;
  }, []);
  useEffect(() => cancelLongPress, [cancelLongPress]);

  return useMemo(
    () => ({
      openMenu,
      onContextMenu(event: MouseEvent<HTMLElement>) {
        // Links and selected text keep the browser's own menu.
        if (isLink(event.target)) return;
        if (hasSelectedText(event.currentTarget)) return;
        event.preventDefault();
        // Some browsers report a long press as `contextmenu`, before or after our own timer.
        const { timer } = longPress.current;
        cancelLongPress();
        if (isLongPressed.current) return;
        isLongPressed.current = timer !== 0;
        // The menu key gives no coordinates.
        const isFromKeyboard = event.clientX === 0 && event.clientY === 0;
        if (isFromKeyboard) openMenu(...besideBubble(event.currentTarget));
        else openMenu(event.clientX, event.clientY);
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.target !== event.currentTarget) return;
        if (event.key === "Enter" && pictureOf(message) !== null && !isFileLost(client, message)) {
          event.preventDefault();
          openViewer({ chatKey: ui.key, messageKey: message.key });
          return;
        }
        if (event.key === "ContextMenu" || isShortcut(event.nativeEvent, "acts")) {
          event.preventDefault();
          openMenu(...besideBubble(event.currentTarget));
          return;
        }
        const actions = messageActionIds().filter((id) => {
          const { shortcut } = MESSAGE_ACTIONS[id];
          return shortcut !== undefined && isShortcut(event.nativeEvent, shortcut);
        });
        if (actions.length === 0) return;
        event.preventDefault();
        const conditions = actionConditions(client.getState(), ui.key, canWrite);
        const action = actions.find((id) => MESSAGE_ACTIONS[id].isOffered(message, conditions));
        if (action !== undefined) runAction(action, message);
      },
      onPointerDown(event: PointerEvent<HTMLElement>) {
        isLongPressed.current = false;
        cancelLongPress();
        if (event.pointerType !== "touch" || ui.get().selected !== null || isLink(event.target)) return;
        const { clientX: x, clientY: y } = event;
        const handleLongPress = () => {
          isLongPressed.current = true;
          openMenu(x, y);
        };
        longPress.current = { x, y, timer: window.setTimeout(handleLongPress, LONG_PRESS_MS) };
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const { timer, x, y } = longPress.current;
        if (timer !== 0 && Math.hypot(event.clientX - x, event.clientY - y) > MOVE_TOLERANCE_PX)
          cancelLongPress();
      },
      onTouchEnd(event: TouchEvent<HTMLElement>) {
        // A long press must not also click or focus what is under the finger.
        if (isLongPressed.current && event.cancelable) event.preventDefault();
      },
      onClickCapture(event: MouseEvent<HTMLElement>) {
        if (!isLongPressed.current) return;
        isLongPressed.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
      onPointerUp: cancelLongPress,
      onPointerCancel: cancelLongPress,
    }),
    [runAction, canWrite, client, ui, cancelLongPress, message, openMenu],
  );
}

function isLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a") !== null;
}

function hasSelectedText(row: HTMLElement): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}

function besideBubble(row: HTMLElement): [x: number, y: number] {
  const box = (row.querySelector("[data-bubble]") ?? row).getBoundingClientRect();
  return [box.left + 8, Math.min(box.bottom + 4, window.innerHeight - 8)];
}
