/** A text at the caret, in the browser's undo history; the field says so by its `input` event. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  const isAway = document.activeElement !== field;
  // With a finger the focus would bring the keyboard up.
  if (isAway && !window.matchMedia("(pointer: coarse)").matches) field.focus({ preventScroll: true });
  // The only way to write into a field that undo knows of; the setter is for browsers that drop it one day.
  if (document.activeElement === field && document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
}

const canSizeItself = CSS.supports("field-sizing", "content");

/** Height for browsers that cannot do it by style. */
export function growToFit(field: HTMLTextAreaElement): void {
  if (canSizeItself) return;
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight}px`;
}
