import { newEmoticonTokens, positionAfter, encodeEmoticons, decodeEmoticons } from "./emoticon-chars.ts";

/** The field's text as it is sent and stored. */
export function fieldText(field: HTMLTextAreaElement): string {
  return decodeEmoticons(field.value);
}

/** Inserts a text at the caret so that undo works; the field fires its `input` event. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  const isAway = document.activeElement !== field;
  // On a touch device the focus would open the on-screen keyboard.
  if (isAway && !window.matchMedia("(pointer: coarse)").matches) field.focus({ preventScroll: true });
  const encoded = encodeEmoticons(text);
  // Only execCommand keeps the undo history. setRangeText is for browsers that may remove it one day.
  if (document.activeElement === field && document.execCommand("insertText", false, encoded)) return;
  field.setRangeText(encoded, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: encoded }));
}

/** Replaces each token that was added since the field contained `before` by its emoticon. Undo brings the token back. */
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

/** The selected text with tokens, if it contains an emoticon; else null, and the browser's own text is right. */
function selectedTokens({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): string | null {
  const selected = value.slice(selectionStart, selectionEnd);
  const text = decodeEmoticons(selected);
  return text === selected ? null : text;
}

/** Copies or cuts emoticons as tokens. */
export function copyTokens(event: ClipboardEvent, field: HTMLTextAreaElement): void {
  const text = selectedTokens(field);
  if (text === null || event.clipboardData === null) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", text);
  if (event.type === "cut") document.execCommand("delete");
}

/** Drags emoticons as tokens. */
export function dragTokens(data: DataTransfer, field: HTMLTextAreaElement): void {
  const text = selectedTokens(field);
  if (text !== null) data.setData("text/plain", text);
}

/** Pastes a text with tokens as emoticons, in one undo step. */
export function pasteTokens(event: ClipboardEvent, field: HTMLTextAreaElement): void {
  const text = event.clipboardData?.getData("text/plain").replaceAll(/\r\n?/g, "\n") ?? "";
  if (encodeEmoticons(text) === text) return;
  event.preventDefault();
  insertText(field, text);
}

const hasFieldSizing = CSS.supports("field-sizing", "content");

/** Sets the height in browsers that do not support `field-sizing`. */
export function resizeToContent(field: HTMLTextAreaElement): void {
  if (hasFieldSizing) return;
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight}px`;
}
