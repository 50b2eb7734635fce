import { remainingMentions } from "../model/chats/mentions.ts";
import type { ChatKey, DraftEdit, DraftMention } from "../model/state.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { DraftStash } from "./draft-stash.ts";

/** What a person writes in a chat before it is sent: a text with mentions, a quote, and the edit of a message. */
export interface DraftActions {
  /** Saves the draft and sends it to other tabs. Without `mentions`, those that are still in the text stay. */
  setDraft(key: ChatKey, text: string, mentions?: readonly DraftMention[]): void;
  /**
   * Saves an unsent edit of one's own message beside the draft, and sends it to other tabs; null: cancelled or sent. It is dropped when its
   * message is deleted.
   */
  setDraftEdit(key: ChatKey, edit: DraftEdit | null): void;
  /** Sets the quote of the draft: a message of the window; null for none. Saved and sent to other tabs with the draft. */
  setQuote(key: ChatKey, id: number | null): void;
}

/** The services that draft actions use. */
export interface DraftActionsDeps extends Pick<ChatDeps, "me" | "chatStore"> {
  draftStash: DraftStash;
  tabSync: TabSync;
}

/** Creates the actions on drafts, which all tabs of this device share. */
export function createDraftActions(deps: DraftActionsDeps): DraftActions {
  const { me, chatStore, draftStash, tabSync } = deps;
  const { chatOf } = chatStore;
  return {
    setDraft(key, text, mentions = remainingMentions(chatOf(key), text)) {
      draftStash.save(me, { key, text, mentions, edit: chatOf(key)?.draftEdit ?? null });
      tabSync.dispatch({ kind: "draft", key, text, mentions });
    },
    setDraftEdit(key, edit) {
      const chat = chatOf(key);
      if (chat === undefined || (edit === null && chat.draftEdit === null)) return;
      draftStash.save(me, { key, text: chat.draft, mentions: chat.draftMentions, edit });
      tabSync.dispatch({ kind: "draft", key, edit });
    },
    setQuote(key, id) {
      const message = chatStore.messageOf(key, id);
      if (id === null) tabSync.dispatch({ kind: "draft", key, quote: null });
      else if (message !== undefined) {
        const { sendId, sendNickName, type, content } = message;
        tabSync.dispatch({ kind: "draft", key, quote: { id, sendId, sendNickName, type, content } });
      }
    },
  };
}
