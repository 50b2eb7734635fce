import { useCallback, useEffect } from "react";
import type { RefObject } from "react";
import type { ChatKey, DraftMention } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { useAutosave } from "./use-autosave.ts";

const NO_MENTIONS: readonly DraftMention[] = [];

/** Keeps the draft. One that changes elsewhere (another tab) is taken over while nobody writes here. */
export function useDraft(
  field: RefObject<HTMLTextAreaElement | null>,
  chatKey: ChatKey,
  composing: { readonly current: boolean },
  /** Whom the text in the field names. */
  named: () => readonly DraftMention[],
  replace: (text: string, mentions: readonly DraftMention[]) => void,
) {
  const client = useClient();
  const draft = useClientState((state) => state.chats.byKey[chatKey]?.draft ?? "");
  const mentions = useClientState((state) => state.chats.byKey[chatKey]?.draftMentions ?? NO_MENTIONS);
  const sign = useCallback((text: string) => draftFingerprint(text, named()), [named]);
  const store = useCallback(
    (text: string) => client.chats.setDraft(chatKey, text, named()),
    [client, chatKey, named],
  );
  const stored = draftFingerprint(draft, mentions);
  const autosave = useAutosave(field, composing, { start: stored, sign, store });

  useEffect(() => {
    const element = field.current;
    if (element === null || autosave.isKept(stored)) return;
    const isWriting = autosave.isDue() || (document.hasFocus() && element === document.activeElement);
    if (isWriting || composing.current) return;
    autosave.note(stored);
    replace(draft, mentions);
  }, [draft, mentions, stored, field, composing, autosave, replace]);

  return autosave;
}

/** Tells drafts apart by what they say and whom they name. */
function draftFingerprint(text: string, mentions: readonly DraftMention[]): string {
  return `${text}\n${mentions.map(({ userId, from }) => `${userId}:${from}`).join()}`;
}
