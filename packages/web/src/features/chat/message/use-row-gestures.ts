import { useCallback, useEffect, useMemo, useRef } from "react";
import type { KeyboardEvent, MouseEvent, PointerEvent, TouchEvent } from "react";
import type { ChatMessage } from "@parley/core/model/state";
import { isPressed } from "../../../kit/keys.ts";
import type { KeyAction } from "../../../kit/keys.ts";
import { useClient } from "../../../kit/use-client.ts";
import { useDesk } from "./desk.ts";
import { groupLimits } from "./member-acts.ts";
import { actLimits, actsOf } from "./message-acts.ts";
import type { MessageAct } from "./message-acts.ts";
import { useMessageActs } from "./use-message-acts.ts";

/** A finger that rests this long on a message asks for its menu. */
const HOLD_MS = 500;
/** A finger that moves further scrolls. */
const STILL_PX = 10;

/** What the keys of a message that has the focus do: the first of these acts it allows. */
const BY_KEY = [
  ["quote", ["quote"]],
  ["edit", ["edit"]],
  ["copy", ["copy"]],
  ["takeBack", ["recall", "delete", "discard"]],
  ["choose", ["choose"]],
] as const satisfies readonly (readonly [KeyAction, readonly MessageAct[]])[];

/** How a message is asked for its menu and its acts: the other button, a held finger, keys. */
export function useRowGestures(message: ChatMessage, canWrite: boolean) {
  const client = useClient();
  const desk = useDesk();
  const act = useMessageActs();
  const hold = useRef({ timer: 0, x: 0, y: 0 });
  const isHeld = useRef(false);

  const openMenu = useCallback(
    (x: number, y: number) => {
      if (desk.get().chosen === null) desk.set({ menu: { key: message.key, x, y } });
    },
    [desk, message.key],
  );
  const letGo = useCallback(() => {
    window.clearTimeout(hold.current.timer);
    hold.current.timer = 0;
  }, []);
  useEffect(() => letGo, [letGo]);

  return useMemo(
    () => ({
      openMenu,
      onContextMenu(event: MouseEvent<HTMLElement>) {
        // The browser's own menu is for links, and for words somebody has marked.
        if (isLink(event.target)) return;
        if (hasMarked(event.currentTarget)) return;
        event.preventDefault();
        // A held finger: some browsers tell of it themselves, before or after our own time.
        const { timer } = hold.current;
        letGo();
        if (isHeld.current) return;
        isHeld.current = timer !== 0;
        // The menu key names no point.
        const isByKey = event.clientX === 0 && event.clientY === 0;
        if (isByKey) openMenu(...besideBubble(event.currentTarget));
        else openMenu(event.clientX, event.clientY);
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.target !== event.currentTarget) return;
        if (event.key === "ContextMenu" || isPressed(event.nativeEvent, "acts")) {
          event.preventDefault();
          openMenu(...besideBubble(event.currentTarget));
          return;
        }
        const wanted = BY_KEY.find(([key]) => isPressed(event.nativeEvent, key))?.[1];
        if (wanted === undefined) return;
        event.preventDefault();
        const state = client.getState();
        const group = groupLimits(state, desk.key);
        const allowed = actsOf(message, actLimits(state.config, Date.now(), canWrite, group));
        const first = wanted.find((one: MessageAct) => allowed.includes(one));
        if (first !== undefined) act(first, message);
      },
      onPointerDown(event: PointerEvent<HTMLElement>) {
        isHeld.current = false;
        letGo();
        if (event.pointerType !== "touch" || desk.get().chosen !== null || isLink(event.target)) return;
        const { clientX: x, clientY: y } = event;
        const ask = () => {
          isHeld.current = true;
          openMenu(x, y);
        };
        hold.current = { x, y, timer: window.setTimeout(ask, HOLD_MS) };
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const { timer, x, y } = hold.current;
        if (timer !== 0 && Math.hypot(event.clientX - x, event.clientY - y) > STILL_PX) letGo();
      },
      onTouchEnd(event: TouchEvent<HTMLElement>) {
        // The finger that asked for the menu did not press what lies under it, nor take the focus there.
        if (isHeld.current && event.cancelable) event.preventDefault();
      },
      onClickCapture(event: MouseEvent<HTMLElement>) {
        if (!isHeld.current) return;
        isHeld.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
      onPointerUp: letGo,
      onPointerCancel: letGo,
    }),
    [act, canWrite, client, desk, letGo, message, openMenu],
  );
}

function isLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a") !== null;
}

function hasMarked(row: HTMLElement): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}

function besideBubble(row: HTMLElement): [x: number, y: number] {
  const box = (row.querySelector("[data-bubble]") ?? row).getBoundingClientRect();
  return [box.left + 8, Math.min(box.bottom + 4, window.innerHeight - 8)];
}
