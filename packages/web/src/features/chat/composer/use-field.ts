import { useCallback, useEffect, useRef, useState } from "react";
import type { ClipboardEvent, DragEvent, FormEvent } from "react";
import { useImeGuard } from "../../../ui/ime.ts";
import { emoticonChar, encodeEmoticons } from "./emoticon-chars.ts";
import { FieldLayer } from "./field-layer.ts";
import {
  copyTokens,
  dragTokens,
  replaceTokens,
  resizeToContent,
  insertText,
  pasteTokens,
  fieldText,
} from "./field-text.ts";
import { textLength, isSameLength } from "./text-length.ts";

/**
 * The field in which a message is written or edited. It belongs to the browser: nothing writes into it while an input method is at work,
 * and no render touches its text. What it is given and what it says are texts as they are sent; in it an emoticon is one letter.
 */
export function useField(start: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLSpanElement>(null);
  const composing = useRef(false);
  const ime = useImeGuard();
  const [drawn] = useState(() => new FieldLayer());
  const [startText] = useState(() => encodeEmoticons(start));
  const [length, setLength] = useState(() => textLength(start));
  /** What the field held before it was last changed, but by an input method at work. */
  const before = useRef(startText);
  const isDrawing = useRef(false);

  const measure = useCallback(() => {
    const element = field.current;
    if (element === null) return;
    resizeToContent(element);
    drawn.draw();
    // The field has grown since the browser scrolled to the caret.
    const isAtEnd = element.selectionStart === element.value.length;
    if (isAtEnd && document.activeElement === element) element.scrollTop = element.scrollHeight;
    if (composing.current) return;
    const next = textLength(fieldText(element));
    setLength((known) => (isSameLength(known, next) ? known : next));
  }, [drawn]);

  useEffect(() => {
    if (field.current === null || layer.current === null || words.current === null) return;
    // Before the first of its letters is written; without it the pictures stand in places of another width.
    document.fonts.load('1em "Parley Emoticons"', emoticonChar(0)).catch(() => undefined);
    return drawn.attach({ field: field.current, layer: layer.current, description: words.current });
  }, [drawn]);

  const focus = useCallback(() => {
    const element = field.current;
    if (element === null) return;
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
    element.scrollTop = element.scrollHeight;
  }, []);

  /** At the caret; a finger that has the keyboard away does not want it back for this. */
  const insert = useCallback((text: string) => {
    const element = field.current;
    if (element === null || composing.current) return;
    insertText(element, text);
  }, []);

  /** In place of all that the field says, outside its undo history. */
  const write = useCallback((text: string) => {
    const element = field.current;
    if (element === null) return;
    element.value = encodeEmoticons(text);
    before.current = element.value;
  }, []);

  /** Tokens become pictures, but those that undo brings back. */
  const draw = (inputType: string) => {
    const element = field.current;
    if (element === null || composing.current || isDrawing.current) return;
    isDrawing.current = true;
    if (!inputType.startsWith("history")) replaceTokens(element, before.current);
    isDrawing.current = false;
    before.current = element.value;
  };

  /** What the field tells; `onChanged` gets what kind of input it was, and may be asked while an input method is still at work. */
  const handlers = (onChanged: (inputType?: string) => void) => ({
    onKeyUp: ime.handlers.onKeyUp,
    onCompositionStart() {
      composing.current = true;
    },
    onCompositionEnd() {
      ime.handlers.onCompositionEnd();
      composing.current = false;
      onChanged();
      measure();
    },
    onInput(event: FormEvent) {
      const { inputType = "" } = event.nativeEvent as Partial<InputEvent>;
      draw(inputType);
      onChanged(inputType);
      measure();
    },
    onCopy: (event: ClipboardEvent<HTMLTextAreaElement>) =>
      copyTokens(event.nativeEvent, event.currentTarget),
    onCut: (event: ClipboardEvent<HTMLTextAreaElement>) => copyTokens(event.nativeEvent, event.currentTarget),
    onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) =>
      pasteTokens(event.nativeEvent, event.currentTarget),
    onDragStart: (event: DragEvent<HTMLTextAreaElement>) =>
      dragTokens(event.dataTransfer, event.currentTarget),
  });

  return {
    field,
    layer,
    words,
    drawn,
    startText,
    composing,
    textLength: length,
    measure,
    focus,
    insert,
    write,
    isComposing: ime.isComposing,
    handlers,
  } as const;
}
