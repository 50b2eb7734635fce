/** Whether a dialog covers the page. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role$="dialog"][aria-modal], [role$="dialog"][data-state="open"]') !== null;
}
