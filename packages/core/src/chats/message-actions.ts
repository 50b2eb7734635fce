import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { systemContent } from "@parley/protocol/endpoints/messages";
import { flushAllMessages } from "@parley/protocol/endpoints/users";
import { kindOf } from "@parley/protocol/message";
import { inputsToClear } from "../model/chats/change-inputs.ts";
import { readChatRow } from "../model/connection/read-frame.ts";
import type { ChatKey, DraftQuote, Result } from "../model/state.ts";
import { DONE, SILENT, fail } from "../connection/api.ts";
import type { ChatActions } from "../client-api.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createForward } from "./forward.ts";
import { type Outbox, NOT_SENDABLE } from "./outbox.ts";
import { createRecalledTexts } from "./recalled-texts.ts";
import { type ChatApi, chatApiOf, type ChatRow } from "./chat-api.ts";

/** Actions on stored messages: edit, recall, forward, clear. */
export type MessageActions = Pick<
  ChatActions,
  "editText" | "recall" | "recalledText" | "forward" | "clearHistory" | "loadNotice"
> & {
  /** The quote, in its current form, of a message that was recalled here in the last minutes. */
  recalledQuoteOf(key: ChatKey, id: number): DraftQuote | null;
  /** The user has logged out, or the server has another database: forgets the recalled texts. */
  forget(): void;
};

/** What message actions need. */
export interface MessageActionsDeps extends ChatDeps {
  outbox: Outbox;
  /** Makes the next pull begin before this action until its answer has arrived. Returns a function that ends this. */
  pauseCursor(type: ChatApi["type"]): () => void;
  /** Loads the current state after an action whose answer was lost. */
  resync(type: ChatApi["type"] | null): Promise<void>;
}

/** Creates the message actions of one session. */
export function createMessageActions({
  ports,
  api,
  stateStore,
  database,
  chatStore,
  outbox,
  me,
  pauseCursor,
  resync,
}: MessageActionsDeps): MessageActions {
  const { messageOf } = chatStore;
  const recalledTexts = createRecalledTexts(ports, me);

  /** Sends an action; its answer is an event, which is applied like every other row. */
  async function perform(
    key: ChatKey,
    chatApi: ChatApi,
    call: (chatApi: ChatApi) => Promise<Result<ChatRow>>,
  ): Promise<Result<null>> {
    const resumeCursor = pauseCursor(chatApi.type);
    const result = await call(chatApi);
    const incoming = result.ok ? readChatRow(chatApi.type, key, result.value, me) : undefined;
    if (incoming?.kind === "chat") chatStore.dispatch([incoming.input]);
    resumeCursor();
    return result.ok ? DONE : handleFailure(result, chatApi.type);
  }

  function handleFailure(
    result: Extract<Result<unknown>, { ok: false }>,
    type: ChatApi["type"] | null,
  ): Result<null> {
    // Without an answer the server may still have done it, and it pushes nothing to the client that asked.
    if (result.failure.kind !== "refused") void resync(type);
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
      const isText = message !== undefined && kindOf(message.type)?.isEditable === true;
      if (isText && message.selfSend && message.status !== MessageStatus.RECALL) {
        recalledTexts.add(key, id, { text: message.content, quote: message.quoteMessage });
      }
      const result = await perform(key, chatApi, ({ recall }) => recall(id));
      if (!result.ok && result.failure.kind === "refused") recalledTexts.remove(key, id);
      return result;
    },
    recalledText(key, id) {
      const isRecalled = messageOf(key, id)?.status === MessageStatus.RECALL;
      return isRecalled ? (recalledTexts.get(key, id)?.text ?? null) : null;
    },
    recalledQuoteOf(key, id) {
      const quote = recalledTexts.get(key, id)?.quote ?? null;
      if (quote === null) return null;
      const quoted = messageOf(key, quote.id);
      if ((quoted ?? quote).status === MessageStatus.RECALL) return null;
      const { sendId, type, content } = quoted ?? quote;
      return { id: quote.id, sendId, sendNickName: quoted?.sendNickName ?? "", type, content };
    },
    forward: createForward({ api, stateStore, database, chatStore, outbox, me }),
    async clearHistory() {
      // The server has these, so it clears at least them.
      const clearing = inputsToClear(stateStore.get().chats);
      const result = await api.call(flushAllMessages, {}, SILENT);
      if (!result.ok) return handleFailure(result, null);
      chatStore.dispatch(clearing);
      // Without a connection, the next one brings up to which messages the history is cleared.
      await resync(null);
      return DONE;
    },
    loadNotice: (id) => api.call(systemContent, { query: { id } }, SILENT),
    forget: recalledTexts.forget,
  };
}
