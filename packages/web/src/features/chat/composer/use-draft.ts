import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { Chat, ChatKey, ChatMessage, DraftMention } from "@parley/core/model/state";
import { fieldText } from "../../../kit/message-field/field-text.ts";
import type { MessageField } from "../../../kit/message-field/use-message-field.ts";
import { saveBeforeUnload } from "../../../kit/loading/save-before-unload.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { isOutsideWindow } from "../message/message-state.ts";
import { actionConditions, MESSAGE_ACTIONS } from "../message/message-actions.ts";
import type { Mentions } from "./mentions/use-mentions.ts";

const NO_MENTIONS: readonly DraftMention[] = [];

/** Saves the draft of a chat: text and mentions. A draft that changes in another tab is shown here, unless somebody is typing. */
export function useDraft(
  messageField: MessageField,
  chatKey: ChatKey,
  { current: currentMentions, reset }: Pick<Mentions, "current" | "reset">,
) {
  const client = useClient();
  const { field, composing, write, refresh } = messageField;
  const draft = useClientState((state) => state.chats.byKey[chatKey]?.draft ?? "");
  const mentions = useClientState((state) => state.chats.byKey[chatKey]?.draftMentions ?? NO_MENTIONS);
  const fingerprint = useCallback(
    (text: string) => draftFingerprint(text, currentMentions()),
    [currentMentions],
  );
  const store = useCallback(
    (text: string) => client.chats.setDraft(chatKey, text, currentMentions()),
    [client, chatKey, currentMentions],
  );
  const stored = draftFingerprint(draft, mentions);
  const autosave = useAutosave(messageField, { initial: stored, fingerprint, store });

  const replace = useCallback(
    (text: string, newMentions: readonly DraftMention[]) => {
      write(text);
      reset(text, newMentions);
      refresh();
    },
    [write, reset, refresh],
  );
  useEffect(() => {
    const element = field.current;
    if (element === null || autosave.isSaved(stored)) return;
    const isWriting = autosave.hasUnsaved() || (document.hasFocus() && element === document.activeElement);
    if (isWriting || composing.current) return;
    autosave.markSaved(stored);
    replace(draft, mentions);
  }, [draft, mentions, stored, field, composing, autosave, replace]);

  const { save, saveSoon, saveText } = autosave;
  const clear = () => {
    replace("", NO_MENTIONS);
    saveText("");
  };
  return { save, saveSoon, clear } as const;
}

/** Two drafts are the same if their text and their mentions are. */
function draftFingerprint(text: string, mentions: readonly DraftMention[]): string {
  return `${text}\n${mentions.map(({ userId, from }) => `${userId}:${from}`).join()}`;
}

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

/** Continues the edit that was left unfinished in this chat once its message is loaded; drops it if the message can no longer be edited. */
export function useUnsentEdit(chat: Chat, onEdit: (message: ChatMessage) => void): void {
  const client = useClient();
  const config = useClientState((state) => state.config);
  // Read once: an edit that another tab begins later belongs to that tab.
  const pendingEdit = useRef(chat.draftEdit);
  useLayoutEffect(() => {
    const { key, window } = chat;
    const edit = pendingEdit.current;
    if (edit === null || window.messages.length === 0) return;
    const found = window.messages.find((message) => message.id === edit.id);
    const conditions = actionConditions(client.getState(), key, true);
    const isEditable = found !== undefined && MESSAGE_ACTIONS.edit.isOffered(found, conditions);
    // The configuration of the server may allow more time than the default; the message may be outside the loaded window.
    const canStillArrive = found === undefined ? isOutsideWindow(edit.id, window) : config === null;
    if (!isEditable && canStillArrive) return;
    pendingEdit.current = null;
    if (isEditable) onEdit(found);
    else client.chats.setDraftEdit(key, null);
  }, [chat, config, client, onEdit]);
}
