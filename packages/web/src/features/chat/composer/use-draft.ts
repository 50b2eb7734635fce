import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";
import type { ChatKey, DraftMention } from "@parley/core/model/state";
import { saveOnLeaving } from "../../../kit/leaving.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";

const SAVE_AFTER_MS = 300;
const NOBODY: readonly DraftMention[] = [];

/**
 * Keeps what is typed: 300 ms after the last change, when the field loses the focus, when the page is hidden and when the chat is left.
 * A draft that changes elsewhere (another tab) is taken over while nobody writes here. Text that an input method is working on is
 * neither read nor written.
 */
export function useDraft(
  field: RefObject<HTMLTextAreaElement | null>,
  chatKey: ChatKey,
  composing: { readonly current: boolean },
  /** Who is named in what the field holds. */
  named: () => readonly DraftMention[],
  onReplaced: (text: string, mentions: readonly DraftMention[]) => void,
) {
  const client = useClient();
  const draft = useClientState((state) => state.chats.byKey[chatKey]?.draft ?? "");
  const mentions = useClientState((state) => state.chats.byKey[chatKey]?.draftMentions ?? NOBODY);
  const saved = useRef(signOf(draft, mentions));
  const timer = useRef(0);

  const keep = useCallback(
    (text: string) => {
      window.clearTimeout(timer.current);
      timer.current = 0;
      const sign = signOf(text, named());
      if (sign === saved.current) return;
      saved.current = sign;
      client.chats.setDraft(chatKey, text, named());
    },
    [client, chatKey, named],
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
    const sign = signOf(draft, mentions);
    if (element === null || sign === saved.current) return;
    const isWriting = timer.current !== 0 || (document.hasFocus() && element === document.activeElement);
    if (isWriting || composing.current) return;
    saved.current = sign;
    element.value = draft;
    onReplaced(draft, mentions);
  }, [draft, mentions, field, composing, onReplaced]);

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

/** Tells drafts apart by what they say and whom they name. */
function signOf(text: string, mentions: readonly DraftMention[]): string {
  return `${text}\n${mentions.map(({ userId, from }) => `${userId}:${from}`).join()}`;
}
