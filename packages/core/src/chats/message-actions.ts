import { MessageStatus, MessageType } from "@parley/protocol/codes";
import type { AnswerOf } from "@parley/protocol/endpoint";
import { closePoll } from "@parley/protocol/endpoints/message-extras";
import { systemContent } from "@parley/protocol/endpoints/messages";
import { flushAllMessages } from "@parley/protocol/endpoints/users";
import { inputsToClear } from "../model/chats/change-inputs.ts";
import { isEditable } from "../model/chats/polls.ts";
import { readChatRow } from "../model/connection/read-frame.ts";
import type { ChatKey, Result } from "../model/state.ts";
import { DONE, SILENT, fail } from "../connection/api.ts";
import type { ContactService } from "../contacts/contact-service.ts";
import type { GroupService } from "../groups/group-service.ts";
import type { SharedValues } from "../storage/shared-values.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createForward, type ForwardAction } from "./forward.ts";
import type { Inbox } from "./inbox.ts";
import type { Outbox } from "./outbox.ts";
import type { RecalledTexts } from "./recalled-texts.ts";
import { type ChatApi, chatApiOf, type ChatRow, NOT_SENDABLE } from "./chat-api.ts";

/** Actions on stored messages: edit, recall, forward, clear. */
export interface MessageActions {
  /** Edits one's own text message. The new text is shown when the server has accepted it. The caller shows a failure. */
  editText(key: ChatKey, id: number, text: string): Promise<Result<null>>;
  /** Recalls one's own message, or as an admin a member's. The caller shows a failure. */
  recall(key: ChatKey, id: number): Promise<Result<null>>;
  /** Ends a poll. The caller shows a failure. */
  closePoll(key: ChatKey, id: number): Promise<Result<null>>;
  /** The text of one's own message that was recalled here in the last 5 minutes, for "edit again"; null: too old, or not a text. */
  recalledText(key: ChatKey, id: number): string | null;
  /** Gives the draft the quote of that recalled message, in its current form, unless the draft has a quote. */
  restoreQuote(key: ChatKey, id: number): void;
  readonly forward: ForwardAction;
  /** Clears the history of all chats on all of one's devices. The caller shows a failure. */
  clearHistory(): Promise<Result<null>>;
  /** A voice message was played on this device (`isUnheard` of `model/chats/played-voices`). */
  markPlayed(key: ChatKey, id: number): void;
  /** Loads the text of a notice by its message id. */
  loadNotice(id: number): Promise<Result<NoticeBody>>;
}

/** The text of a notice of the system chat. */
export type NoticeBody = AnswerOf<typeof systemContent>;

/** What message actions need. */
export interface MessageActionsDeps extends ChatDeps {
  outbox: Outbox;
  recalledTexts: RecalledTexts;
  sharedValues: SharedValues;
  tabSync: TabSync;
  contactService: ContactService;
  groupService: GroupService;
  inbox: Pick<Inbox, "pauseCursor" | "resync" | "callThenResync">;
}

/** Creates the message actions of one session. */
export function createMessageActions(deps: MessageActionsDeps): MessageActions {
  const { ports, api, stateStore, chatStore, me, recalledTexts, inbox } = deps;
  const { chatOf, messageOf } = chatStore;

  /** Sends an action; its answer is an event, which is applied like every other row. */
  async function perform(
    key: ChatKey,
    chatApi: ChatApi,
    call: (chatApi: ChatApi) => Promise<Result<ChatRow>>,
  ): Promise<Result<null>> {
    const resumeCursor = inbox.pauseCursor(chatApi.type);
    const result = await call(chatApi);
    const incoming = result.ok ? readChatRow(chatApi.type, key, result.value, me) : undefined;
    if (incoming?.kind === "chat") chatStore.dispatch([incoming.input]);
    resumeCursor();
    if (result.ok) return DONE;
    // Without an answer the server may still have done it, and it pushes nothing to the client that asked.
    if (result.failure.kind !== "refused") void inbox.resync(chatApi.type);
    return result;
  }

  return {
    editText(key, id, text) {
      const chatApi = chatApiOf(api, key);
      if (chatApi === null) return Promise.resolve(fail(NOT_SENDABLE));
      const edit = { type: MessageType.EDIT, content: text, tmpId: ports.random.id(), quoteMessageId: id };
      return perform(key, chatApi, ({ send }) => send(edit));
    },
    async recall(key, id) {
      const chatApi = chatApiOf(api, key);
      if (chatApi === null) return fail(NOT_SENDABLE);
      const message = messageOf(key, id);
      const isText = message !== undefined && isEditable(message);
      if (isText && message.selfSend && message.status !== MessageStatus.RECALL) {
        recalledTexts.add(key, id, { text: message.content, quote: message.quoteMessage });
      }
      const result = await perform(key, chatApi, ({ recall }) => recall(id));
      if (!result.ok && result.failure.kind === "refused") recalledTexts.remove(key, id);
      return result;
    },
    async closePoll(key, id) {
      const result = await api.call(closePoll, { body: { id } }, SILENT);
      if (!result.ok) return result;
      chatStore.dispatch([{ kind: "extra", key, change: { id, extra: result.value } }]);
      return DONE;
    },
    recalledText(key, id) {
      const isRecalled = messageOf(key, id)?.status === MessageStatus.RECALL;
      return isRecalled ? (recalledTexts.get(key, id)?.text ?? null) : null;
    },
    restoreQuote(key, id) {
      const quote = recalledTexts.get(key, id)?.quote ?? null;
      if (quote === null || (chatOf(key)?.draftQuote ?? null) !== null) return;
      const quoted = messageOf(key, quote.id);
      if ((quoted ?? quote).status === MessageStatus.RECALL) return;
      const { sendId, type, content } = quoted ?? quote;
      const draftQuote = { id: quote.id, sendId, sendNickName: quoted?.sendNickName ?? "", type, content };
      deps.tabSync.dispatch({ kind: "draft", key, quote: draftQuote });
    },
    forward: createForward(deps),
    async clearHistory() {
      // The server has these, so it clears at least them.
      const clearing = inputsToClear(stateStore.get().chats);
      const result = await inbox.callThenResync(async () => {
        const answer = await api.call(flushAllMessages, {}, SILENT);
        // At once: without a connection, only the next one brings up to which messages the history is cleared.
        if (answer.ok) chatStore.dispatch(clearing);
        return answer;
      });
      if (!result.ok) return result;
      // Required by spec §7. If this fails, the next login loads them.
      void Promise.all([deps.contactService.actions.reload(), deps.groupService.actions.reload()]);
      return DONE;
    },
    markPlayed: (key, id) => deps.sharedValues.change("played", { key, id }),
    loadNotice: (id) => api.call(systemContent, { query: { id } }, SILENT),
  };
}
