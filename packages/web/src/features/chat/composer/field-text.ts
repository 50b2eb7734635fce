/** A line break at the caret, in the browser's undo history. */
export function insertNewline(field: HTMLTextAreaElement): void {
  // The only way to write into a field that undo knows of; the setter is for browsers that drop it one day.
  if (document.execCommand("insertText", false, "\n")) return;
  field.setRangeText("\n", field.selectionStart, field.selectionEnd, "end");
}

const canSizeItself = CSS.supports("field-sizing", "content");

/** Height for browsers that cannot do it by style. */
export function growToFit(field: HTMLTextAreaElement): void {
  if (canSizeItself) return;
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight}px`;
}
