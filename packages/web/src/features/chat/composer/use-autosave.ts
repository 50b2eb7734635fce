import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { RefObject } from "react";
import { saveBeforeUnload } from "../../../kit/save-before-unload.ts";
import { fieldText } from "./field-text.ts";

const SAVE_AFTER_MS = 300;

/**
 * Keeps what is typed: 300 ms after the last change, when the field loses the focus, when the page is hidden and when the field goes. Text
 * that an input method is working on is not read.
 */
export function useAutosave(
  field: RefObject<HTMLTextAreaElement | null>,
  composing: { readonly current: boolean },
  {
    start,
    sign,
    store,
  }: {
    /** The sign of what is kept already. */
    start: string;
    /** What tells one text from another, beside its words perhaps. */
    sign: (text: string) => string;
    store: (text: string) => void;
  },
) {
  const saved = useRef(start);
  const timer = useRef(0);

  const keep = useCallback(
    (text: string) => {
      window.clearTimeout(timer.current);
      timer.current = 0;
      const next = sign(text);
      if (next === saved.current) return;
      saved.current = next;
      store(text);
    },
    [sign, store],
  );
  const save = useCallback(() => {
    if (field.current !== null && !composing.current) keep(fieldText(field.current));
  }, [field, composing, keep]);
  const saveSoon = useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(save, SAVE_AFTER_MS);
  }, [save]);

  useLayoutEffect(() => {
    const element = field.current;
    return () => {
      if (element !== null) keep(fieldText(element));
    };
  }, [field, keep]);

  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === "hidden") save();
    };
    document.addEventListener("visibilitychange", hide);
    const stop = saveBeforeUnload(save);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      stop();
    };
  }, [save]);

  return useMemo(
    () => ({
      keep,
      save,
      saveSoon,
      /** What has this sign is kept already. */
      note(known: string) {
        window.clearTimeout(timer.current);
        timer.current = 0;
        saved.current = known;
      },
      isKept: (known: string) => known === saved.current,
      /** Something was typed a moment ago. */
      isDue: () => timer.current !== 0,
    }),
    [keep, save, saveSoon],
  );
}
