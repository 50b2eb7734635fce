import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { saveBeforeUnload } from "../../../kit/save-before-unload.ts";
import { fieldText } from "../../../kit/message-field/field-text.ts";
import type { MessageField } from "../../../kit/message-field/use-message-field.ts";

const SAVE_AFTER_MS = 300;

/**
 * Saves what is typed: 300 ms after the last change, when the field loses the focus, when the page is hidden and when the field is
 * unmounted. Text that an input method is still composing is not saved.
 */
export function useAutosave(
  { field, composing }: Pick<MessageField, "field" | "composing">,
  {
    initial,
    fingerprint,
    store,
  }: {
    /** The fingerprint of what is stored already. */
    initial: string;
    /** Two texts with the same fingerprint count as the same. It may include more than the text. */
    fingerprint: (text: string) => string;
    store: (text: string) => void;
  },
) {
  const saved = useRef(initial);
  const timer = useRef(0);

  const saveText = useCallback(
    (text: string) => {
      window.clearTimeout(timer.current);
      timer.current = 0;
      const next = fingerprint(text);
      if (next === saved.current) return;
      saved.current = next;
      store(text);
    },
    [fingerprint, store],
  );
  const save = useCallback(() => {
    if (field.current !== null && !composing.current) saveText(fieldText(field.current));
  }, [field, composing, saveText]);
  const saveSoon = useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(save, SAVE_AFTER_MS);
  }, [save]);

  useLayoutEffect(() => {
    const element = field.current;
    return () => {
      if (element !== null) saveText(fieldText(element));
    };
  }, [field, saveText]);

  useEffect(() => {
    const handleVisibilityChange = () => {
      if (document.visibilityState === "hidden") save();
    };
    document.addEventListener("visibilitychange", handleVisibilityChange);
    const unregister = saveBeforeUnload(save);
    return () => {
      document.removeEventListener("visibilitychange", handleVisibilityChange);
      unregister();
    };
  }, [save]);

  return useMemo(
    () => ({
      saveText,
      save,
      saveSoon,
      /** Says that the text with this fingerprint is stored already. */
      markSaved(stored: string) {
        window.clearTimeout(timer.current);
        timer.current = 0;
        saved.current = stored;
      },
      isSaved: (stored: string) => stored === saved.current,
      /** A save is scheduled. */
      hasUnsaved: () => timer.current !== 0,
    }),
    [saveText, save, saveSoon],
  );
}
