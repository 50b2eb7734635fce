import type { RequestSource } from "@parley/protocol/codes";
import { openDialog } from "./open-dialog.ts";

/** Opens the card of a person beside the pressed control. `source`: where the person was found. */
export function openUserCard(userId: number, control: Element, source?: RequestSource): void {
  const box = control.getBoundingClientRect();
  openDialog({ kind: "userCard", userId, x: Math.round(box.right + 8), y: Math.round(box.top), source });
}
