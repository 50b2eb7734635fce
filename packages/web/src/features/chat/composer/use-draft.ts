import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { saveOnLeaving } from "../../../kit/leaving.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";

const SAVE_AFTER_MS = 300;

/**
 * Keeps what is typed: 300 ms after the last change, when the field loses the focus, when the page is hidden and when the chat is left.
 * A draft that changes elsewhere (another tab) is taken over while nobody writes here. Text that an input method is working on is
 * neither read nor written.
 */
export function useDraft(
  field: RefObject<HTMLTextAreaElement | null>,
  chatKey: ChatKey,
  composing: { readonly current: boolean },
  onReplaced: () => void,
) {
  const client = useClient();
  const draft = useClientState((state) => state.chats.byKey[chatKey]?.draft ?? "");
  const saved = useRef(draft);
  const timer = useRef(0);

  const keep = useCallback(
    (text: string) => {
      window.clearTimeout(timer.current);
      timer.current = 0;
      if (text === saved.current) return;
      saved.current = text;
      client.chats.setDraft(chatKey, text);
    },
    [client, chatKey],
  );
  const save = useCallback(() => {
    if (field.current !== null && !composing.current) keep(field.current.value);
  }, [field, composing, keep]);
  const saveSoon = useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(save, SAVE_AFTER_MS);
  }, [save]);

  useEffect(() => {
    const element = field.current;
    if (element === null || draft === saved.current) return;
    const isWriting = timer.current !== 0 || (document.hasFocus() && element === document.activeElement);
    if (isWriting || composing.current) return;
    saved.current = draft;
    element.value = draft;
    onReplaced();
  }, [draft, field, composing, onReplaced]);

  useLayoutEffect(() => {
    const element = field.current;
    return () => {
      if (element !== null) keep(element.value);
    };
  }, [field, keep]);

  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === "hidden") save();
    };
    document.addEventListener("visibilitychange", hide);
    const stop = saveOnLeaving(save);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      stop();
    };
  }, [save]);

  return { keep, save, saveSoon };
}
