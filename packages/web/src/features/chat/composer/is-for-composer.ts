import { isDialogOpen } from "../../../kit/is-dialog-open.ts";

/** What uses keys and pastes itself. */
const USERS =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether what is typed or pasted here belongs to the composer: in its field, or where nothing else uses it. */
export function isForComposer(target: EventTarget | null): boolean {
  if (isDialogOpen()) return false;
  const user = target instanceof Element ? target.closest(USERS) : null;
  return user === null || isComposer(user);
}

/** Whether this is the composer's own field. */
export function isComposer(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("[data-composer]");
}
