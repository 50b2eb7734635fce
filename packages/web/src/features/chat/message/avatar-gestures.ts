import type { MouseEvent, PointerEvent } from "react";
import type { Client } from "@parley/core/client-api";
import { runMemberAction } from "./run-member-action.ts";
import type { ConversationUi, MentionTarget } from "./conversation-ui.ts";
import { groupPermissions } from "./member-actions.ts";

const LONG_PRESS_MS = 500;

/**
 * In a group: the other button on somebody's picture opens a menu about that person, and a finger that rests there names the person, as
 * people are used to.
 */
export function avatarGestures(client: Client, ui: ConversationUi, person: MentionTarget) {
  const { userId, name } = person;
  let timer = 0;
  let touch: "none" | "down" | "held" = "none";
  const cancelLongPress = () => window.clearTimeout(timer);
  const longPress = () => {
    cancelLongPress();
    touch = "held";
    const actions = groupPermissions(client.getState(), ui.key)?.memberActions(userId) ?? [];
    if (actions.includes("mention")) runMemberAction(client, ui, "mention", person);
  };
  return {
    onContextMenu(event: MouseEvent<HTMLElement>) {
      event.preventDefault();
      event.stopPropagation();
      // A held finger: some browsers tell of it themselves.
      if (touch === "down") return longPress();
      if (touch === "held") return;
      // The menu key names no point.
      const isByKey = event.clientX === 0 && event.clientY === 0;
      const box = event.currentTarget.getBoundingClientRect();
      const [x, y] = isByKey ? [box.right + 4, box.top] : [event.clientX, event.clientY];
      ui.set({ personMenu: { userId, name, x, y } });
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      touch = "none";
      cancelLongPress();
      if (event.pointerType !== "touch") return;
      // The message under it has a menu for held fingers too.
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
      if (touch !== "held") return;
      touch = "none";
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
