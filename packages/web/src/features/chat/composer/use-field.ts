import { useCallback, useRef, useState } from "react";
import type { FormEvent } from "react";
import { useImeGuard } from "../../../ui/ime.ts";
import { growToFit, insertText } from "./field-text.ts";
import { fitOf, isSameFit } from "./text-length.ts";

/**
 * The field in which a message is written or edited. It belongs to the browser: nothing writes into it while an input method is at work,
 * and no render touches its text.
 */
export function useField(start: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  const composing = useRef(false);
  const ime = useImeGuard();
  const [fit, setFit] = useState(() => fitOf(start));

  const measure = useCallback(() => {
    const element = field.current;
    if (element === null) return;
    growToFit(element);
    // The field has grown since the browser scrolled to the caret.
    const isAtEnd = element.selectionStart === element.value.length;
    if (isAtEnd && document.activeElement === element) element.scrollTop = element.scrollHeight;
    if (composing.current) return;
    const next = fitOf(element.value);
    setFit((known) => (isSameFit(known, next) ? known : next));
  }, []);

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

  /** What the field tells; `onChanged` gets what kind of input it was, and may be asked while an input method is still at work. */
  const handlers = (onChanged: (inputType?: string) => void) => ({
    onKeyUp: ime.handlers.onKeyUp,
    onCompositionStart() {
      composing.current = true;
    },
    onCompositionEnd() {
      ime.handlers.onCompositionEnd();
      composing.current = false;
      measure();
      onChanged();
    },
    onInput(event: FormEvent) {
      measure();
      onChanged((event.nativeEvent as InputEvent).inputType);
    },
  });

  return { field, composing, fit, measure, focus, insert, isComposing: ime.isComposing, handlers } as const;
}
