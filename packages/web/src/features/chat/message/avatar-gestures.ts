import type { MouseEvent, PointerEvent } from "react";
import type { Client } from "@parley/core/client-api";
import { MEMBER_ACTIONS, groupPermissions } from "./member-actions.ts";
import type { ConversationUi, MentionTarget } from "./conversation-ui.ts";

const LONG_PRESS_MS = 500;

/**
 * Event handlers for the avatar of a group member: the secondary mouse button opens a menu about the member, and a long press inserts a
 * mention, as in other messengers.
 */
export function avatarGestures(client: Client, ui: ConversationUi, person: MentionTarget) {
  const { userId, name } = person;
  let timer = 0;
  let touch: "none" | "down" | "longPressed" = "none";
  const cancelLongPress = () => window.clearTimeout(timer);
  const longPress = () => {
    cancelLongPress();
    touch = "longPressed";
    const actions = groupPermissions(client.getState(), ui.key)?.memberActions(userId) ?? [];
    if (actions.includes("mention")) MEMBER_ACTIONS.mention.run({ client, ui }, person);
  };
  return {
    onContextMenu(event: MouseEvent<HTMLElement>) {
      event.preventDefault();
      event.stopPropagation();
      // Some browsers report a long press as `contextmenu`.
      if (touch === "down") return longPress();
      if (touch === "longPressed") return;
      // The menu key gives no coordinates.
      const isFromKeyboard = event.clientX === 0 && event.clientY === 0;
      const box = event.currentTarget.getBoundingClientRect();
      const [x, y] = isFromKeyboard ? [box.right + 4, box.top] : [event.clientX, event.clientY];
      ui.set({ personMenu: { userId, name, x, y } });
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      touch = "none";
      cancelLongPress();
      if (event.pointerType !== "touch") return;
      // The message row opens its own menu on a long press.
      event.stopPropagation();
      touch = "down";
      timer = window.setTimeout(longPress, LONG_PRESS_MS);
    },
    onPointerUp() {
      cancelLongPress();
      if (touch === "down") touch = "none";
    },
    onPointerCancel() {
      cancelLongPress();
      if (touch === "down") touch = "none";
    },
    onClickCapture(event: MouseEvent<HTMLElement>) {
      if (touch !== "longPressed") return;
      touch = "none";
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
