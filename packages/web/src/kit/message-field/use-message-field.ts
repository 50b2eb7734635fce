import { useCallback, useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { textMaxOf } from "@parley/core/model/selectors";
import { useClient, useClientState } from "../loading/use-client.ts";
import { useImeGuard } from "../../ui/ime.ts";
import { emoticonChar, encodeEmoticons } from "./emoticon-chars.ts";
import { FieldLayer } from "./field-layer.ts";
import {
  fieldText,
  insertText,
  markLines,
  resizeToContent,
  TOKEN_HANDLERS,
  TokenReplacement,
} from "./field-text.ts";
import { textLength, isSameLength } from "./text-length.ts";

/**
 * The field in which a message is written or edited. The browser owns its text: nothing is written into it while an input method is
 * composing, and rendering does not change it. Callers pass and get texts as they are sent; inside the field an emoticon is one character.
 */
export function useMessageField(initialText: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const description = useRef<HTMLSpanElement>(null);
  const composing = useRef(false);
  const ime = useImeGuard();
  const [fieldLayer] = useState(() => new FieldLayer());
  const [initialValue] = useState(() => encodeEmoticons(initialText));
  const client = useClient();
  const measure = useCallback((text: string) => textLength(text, textMaxOf(client.getState())), [client]);
  const [length, setLength] = useState(() => measure(initialText));
  const [tokenReplacement] = useState(() => new TokenReplacement(initialValue));

  /** Updates height, layer and text length after the text has changed. */
  const refresh = useCallback(() => {
    const element = field.current;
    if (element === null) return;
    // An input method shows its words where the text is.
    if (!composing.current) markLines(element);
    resizeToContent(element);
    fieldLayer.draw();
    // The field has grown since the browser scrolled to the caret.
    const isAtEnd = element.selectionStart === element.value.length;
    if (isAtEnd && document.activeElement === element) element.scrollTop = element.scrollHeight;
    if (composing.current) return;
    const next = measure(fieldText(element));
    setLength((known) => (isSameLength(known, next) ? known : next));
  }, [fieldLayer, measure]);

  // The server may say only later how long a text may be.
  const textMax = useClientState(textMaxOf);
  useEffect(refresh, [refresh, textMax]);

  useEffect(() => {
    if (field.current === null || layer.current === null || description.current === null) return;
    // Load the font before the first emoticon is written: without it the characters have another width than the pictures.
    document.fonts.load('1em "Parley Emoticons"', emoticonChar(0)).catch(() => undefined);
    return fieldLayer.attach({
      field: field.current,
      layer: layer.current,
      description: description.current,
    });
  }, [fieldLayer]);

  const focus = useCallback(() => {
    const element = field.current;
    if (element === null) return;
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
    element.scrollTop = element.scrollHeight;
  }, []);

  /** Gives the focus back and sets no caret. */
  const resume = useCallback(() => field.current?.focus({ preventScroll: true }), []);

  /** The same after something else was used, so that Enter sends. On a touch device it would open the on-screen keyboard. */
  const returnFocus = useCallback(() => {
    if (!window.matchMedia("(pointer: coarse)").matches) resume();
  }, [resume]);

  /** Inserts a text at the caret. On a touch device this does not open the on-screen keyboard. */
  const insert = useCallback((text: string) => {
    const element = field.current;
    if (element === null || composing.current) return;
    insertText(element, text);
  }, []);

  /** Replaces the whole text, outside the undo history. */
  const write = useCallback(
    (text: string) => {
      const element = field.current;
      if (element === null) return;
      element.value = encodeEmoticons(text);
      tokenReplacement.reset(element.value);
    },
    [tokenReplacement],
  );

  /** Event handlers of the field. `onChanged` gets the input type; it is also called while an input method is composing. */
  const handlers = (onChanged: (inputType?: string) => void) => ({
    onKeyUp: ime.handlers.onKeyUp,
    onCompositionStart() {
      composing.current = true;
    },
    onCompositionEnd() {
      ime.handlers.onCompositionEnd();
      composing.current = false;
      onChanged();
      refresh();
    },
    onInput(event: FormEvent<HTMLTextAreaElement>) {
      const { inputType = "" } = event.nativeEvent as Partial<InputEvent>;
      if (!composing.current) tokenReplacement.textChanged(event.currentTarget, inputType);
      onChanged(inputType);
      refresh();
    },
    ...TOKEN_HANDLERS,
  });

  return {
    field,
    layer,
    description,
    fieldLayer,
    initialValue,
    composing,
    textLength: length,
    measure,
    refresh,
    focus,
    resume,
    returnFocus,
    insert,
    write,
    isComposing: ime.isComposing,
    handlers,
  } as const;
}

/** A field for messages, and what its callers can do with it. */
export type MessageField = ReturnType<typeof useMessageField>;
