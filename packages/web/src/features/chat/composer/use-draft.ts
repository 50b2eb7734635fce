import { useCallback, useEffect } from "react";
import type { ChatKey, DraftMention } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import type { Mentions } from "./mentions/use-mentions.ts";
import { useAutosave } from "./use-autosave.ts";
import type { MessageField } from "../../../kit/message-field/use-message-field.ts";

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
