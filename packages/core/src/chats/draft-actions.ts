import { remainingMentions } from "../model/chats/mentions.ts";
import type { ChatActions } from "../client-api.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { DraftStash } from "./draft-stash.ts";
import type { MessageActions } from "./message-actions.ts";

/** What a person writes in a chat before it is sent: a text with mentions, a quote, and the edit of a message. */
export type DraftActions = Pick<ChatActions, "setDraft" | "setDraftEdit" | "setQuote" | "restoreQuote">;

/** The services that draft actions use. */
export interface DraftActionsDeps extends Pick<ChatDeps, "me" | "chatStore"> {
  draftStash: DraftStash;
  tabSync: TabSync;
  messageActions: MessageActions;
}

/** Creates the actions on drafts, which all tabs of this device share. */
export function createDraftActions(deps: DraftActionsDeps): DraftActions {
  const { me, chatStore, draftStash, tabSync, messageActions } = deps;
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
    restoreQuote(key, id) {
      const quote = messageActions.recalledQuoteOf(key, id);
      const currentQuote = chatOf(key)?.draftQuote ?? null;
      if (quote !== null && currentQuote === null) tabSync.dispatch({ kind: "draft", key, quote });
    },
  };
}
