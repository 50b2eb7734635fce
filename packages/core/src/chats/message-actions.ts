import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { systemContent } from "@parley/protocol/endpoints/messages";
import { flushAllMessages } from "@parley/protocol/endpoints/users";
import { kindOf } from "@parley/protocol/message";
import { readChatRow } from "../model/connection/read-frame.ts";
import type { ChatKey, ChatMessage, DraftQuote, Failure, Result } from "../model/state.ts";
import { fail } from "../connection/api.ts";
import type { ChatActions } from "../client-api.ts";
import type { ChatDeps } from "./chat-store.ts";
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

const SILENT = { silent: true };
const DONE = { ok: true, value: null } as const;

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

  /** Value null: there is no such message, or no longer. */
  async function loadMessage(key: ChatKey, id: number): Promise<Result<ChatMessage | null>> {
    const localMessage =
      messageOf(key, id) ?? (await database.messagesBefore(key, id + 1, 1)).find((row) => row.id === id);
    const chatApi = chatApiOf(api, key);
    if (localMessage !== undefined || chatApi === null)
      return { ok: true, value: unlessRecalled(localMessage) };
    const history = await chatApi.history({ maxId: id + 1, size: 1 });
    if (!history.ok) return history;
    const [row] = history.value;
    const incoming = row?.id === id ? readChatRow(chatApi.type, key, row, me) : undefined;
    const isRow = incoming?.kind === "chat" && incoming.input.kind === "row";
    return { ok: true, value: isRow ? unlessRecalled(incoming.input.message) : null };
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
    async forward(from, ids, to) {
      const originals: ChatMessage[] = [];
      for (const id of [...ids].sort((a, b) => a - b)) {
        const message = await loadMessage(from, id);
        if (!message.ok) return message;
        if (message.value !== null) originals.push(message.value);
      }
      if (originals.length === 0) return fail(NOT_FOUND);
      const messages = originals.filter(({ type }) => kindOf(type)?.isForwardable === true);
      if (messages.length === 0 || to.length === 0) return fail(NOT_SENDABLE);
      stateStore.batch(() => {
        for (const key of to) for (const { type, content } of messages) outbox.send(key, type, content);
      });
      return DONE;
    },
    async clearHistory() {
      const result = await api.call(flushAllMessages, {}, SILENT);
      if (!result.ok) return handleFailure(result, null);
      // The server decides up to which messages the history is cleared.
      await resync(null);
      return DONE;
    },
    loadNotice: (id) => api.call(systemContent, { query: { id } }, SILENT),
    forget: recalledTexts.forget,
  };
}

const NOT_FOUND: Failure = { kind: "refused", code: 0, key: "message.notFound", params: {}, message: "" };

function unlessRecalled(message: ChatMessage | undefined): ChatMessage | null {
  return message === undefined || message.status === MessageStatus.RECALL ? null : message;
}
