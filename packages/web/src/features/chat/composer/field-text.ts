import { newEmoticonTokens, positionAfter, encodeEmoticons, decodeEmoticons } from "./emoticon-chars.ts";

/** What the field says, as it is sent and kept. */
export function fieldText(field: HTMLTextAreaElement): string {
  return decodeEmoticons(field.value);
}

/** A text at the caret, in the browser's undo history; the field says so by its `input` event. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  const isAway = document.activeElement !== field;
  // With a finger the focus would bring the keyboard up.
  if (isAway && !window.matchMedia("(pointer: coarse)").matches) field.focus({ preventScroll: true });
  const put = encodeEmoticons(text);
  // The only way to write into a field that undo knows of; the setter is for browsers that drop it one day.
  if (document.activeElement === field && document.execCommand("insertText", false, put)) return;
  field.setRangeText(put, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: put }));
}

/** Writes an emoticon in place of each token that came since the field said `before`. Undo brings the token back. */
export function replaceTokens(field: HTMLTextAreaElement, before: string): void {
  const changes = newEmoticonTokens(before, field.value);
  if (changes.length === 0) return;
  const caret = positionAfter(field.selectionEnd, changes);
  for (const { from, to } of changes.toReversed()) {
    const token = field.value.slice(from, to);
    field.setSelectionRange(from, to);
    insertText(field, token);
  }
  field.setSelectionRange(caret, caret);
}

/** What is marked, where it holds an emoticon; else the browser knows as much. */
function selectedTokens({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): string | null {
  const marked = value.slice(selectionStart, selectionEnd);
  const text = decodeEmoticons(marked);
  return text === marked ? null : text;
}

/** Copied, or cut. */
export function copyTokens(event: ClipboardEvent, field: HTMLTextAreaElement): void {
  const text = selectedTokens(field);
  if (text === null || event.clipboardData === null) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", text);
  if (event.type === "cut") document.execCommand("delete");
}

/** Dragged elsewhere. */
export function dragTokens(data: DataTransfer, field: HTMLTextAreaElement): void {
  const text = selectedTokens(field);
  if (text !== null) data.setData("text/plain", text);
}

/** Pasted in one step of undo. */
export function pasteTokens(event: ClipboardEvent, field: HTMLTextAreaElement): void {
  const text = event.clipboardData?.getData("text/plain").replaceAll(/\r\n?/g, "\n") ?? "";
  if (encodeEmoticons(text) === text) return;
  event.preventDefault();
  insertText(field, text);
}

const canSizeItself = CSS.supports("field-sizing", "content");

/** Height for browsers that cannot do it by style. */
export function resizeToContent(field: HTMLTextAreaElement): void {
  if (canSizeItself) return;
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight}px`;
}
