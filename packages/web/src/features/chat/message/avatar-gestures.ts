import type { MouseEvent, PointerEvent } from "react";
import type { Client } from "@parley/core/runtime/client-api";
import { actOnMember } from "./act-on-member.ts";
import type { Desk, Named } from "./desk.ts";
import { groupLimits } from "./member-acts.ts";

const HOLD_MS = 500;

/**
 * In a group: the other button on somebody's picture opens a menu about that person, and a finger that rests there names the person, as
 * people are used to.
 */
export function avatarGestures(client: Client, desk: Desk, person: Named) {
  const { userId, name } = person;
  let timer = 0;
  let touch: "none" | "down" | "held" = "none";
  const letGo = () => window.clearTimeout(timer);
  const hold = () => {
    letGo();
    touch = "held";
    const acts = groupLimits(client.getState(), desk.key)?.memberActs(userId) ?? [];
    if (acts.includes("mention")) actOnMember(client, desk, "mention", person);
  };
  return {
    onContextMenu(event: MouseEvent<HTMLElement>) {
      event.preventDefault();
      event.stopPropagation();
      // A held finger: some browsers tell of it themselves.
      if (touch === "down") return hold();
      if (touch === "held") return;
      // The menu key names no point.
      const isByKey = event.clientX === 0 && event.clientY === 0;
      const box = event.currentTarget.getBoundingClientRect();
      const [x, y] = isByKey ? [box.right + 4, box.top] : [event.clientX, event.clientY];
      desk.set({ personMenu: { userId, name, x, y } });
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      touch = "none";
      letGo();
      if (event.pointerType !== "touch") return;
      // The message under it has a menu for held fingers too.
      event.stopPropagation();
      touch = "down";
      timer = window.setTimeout(hold, HOLD_MS);
    },
    onPointerUp() {
      letGo();
      if (touch === "down") touch = "none";
    },
    onPointerCancel() {
      letGo();
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
