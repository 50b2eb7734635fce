import type { ClipboardEvent, DragEvent } from "react";
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

/** Replaces typed tokens by their emoticons. Undo brings a token back, which then stays. */
export class TokenReplacement {
  /** The field's value at the last change. */
  #before: string;
  #isReplacing = false;

  constructor(value: string) {
    this.#before = value;
  }

  /** Call it when the whole text was replaced: tokens in it are not typed. */
  reset(value: string): void {
    this.#before = value;
  }

  /** Call it when the field's text has changed, except by an input method that is composing. */
  textChanged(field: HTMLTextAreaElement, inputType: string): void {
    // Each replacement is a change too.
    if (this.#isReplacing) return;
    this.#isReplacing = true;
    if (!inputType.startsWith("history")) replaceTokens(field, this.#before);
    this.#isReplacing = false;
    this.#before = field.value;
  }
}

/** Replaces each token that was added since the field contained `before`. */
function replaceTokens(field: HTMLTextAreaElement, before: string): void {
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

function copyTokens(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const text = selectedTokens(event.currentTarget);
  if (text === null) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", text);
  if (event.type === "cut") document.execCommand("delete");
}

/** Event handlers of a field: emoticons are copied, cut and dragged as tokens, and tokens are pasted as emoticons in one undo step. */
export const TOKEN_HANDLERS = {
  onCopy: copyTokens,
  onCut: copyTokens,
  onDragStart({ currentTarget, dataTransfer }: DragEvent<HTMLTextAreaElement>) {
    const text = selectedTokens(currentTarget);
    if (text !== null) dataTransfer.setData("text/plain", text);
  },
  onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const text = event.clipboardData.getData("text/plain").replaceAll(/\r\n?/g, "\n");
    if (encodeEmoticons(text) === text) return;
    event.preventDefault();
    insertText(event.currentTarget, text);
  },
} as const;

/**
 * Marks the area around a field that has more than one line; its tools then stand below. The mark stays until the field is empty, because
 * the text may fit into one line of the wider field, and back and forth it would jump.
 */
export function markLines(field: HTMLTextAreaElement): void {
  const area = field.parentElement;
  if (field.value === "") area?.removeAttribute("data-lines");
  else if (field.scrollHeight > 1.5 * Number.parseFloat(getComputedStyle(field).lineHeight) + 20)
    area?.setAttribute("data-lines", "");
}

const hasFieldSizing = CSS.supports("field-sizing", "content");

/** Sets the height in browsers that do not support `field-sizing`. */
export function resizeToContent(field: HTMLTextAreaElement): void {
  if (hasFieldSizing) return;
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight}px`;
}
