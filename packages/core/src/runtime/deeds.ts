import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { systemContent } from "@parley/protocol/endpoints/messages";
import { flushAllMessages } from "@parley/protocol/endpoints/users";
import { kindOf } from "@parley/protocol/message";
import { readTalk } from "../model/incoming.ts";
import type { ChatKey, ChatMessage, DraftQuote, Failure, Result } from "../model/state.ts";
import { type Api, fail } from "./api.ts";
import type { ChatActions } from "./client-api.ts";
import type { Desk } from "./desk.ts";
import type { Disk } from "./persist.ts";
import { type Outbox, UNSENDABLE } from "./outbox.ts";
import type { Ports } from "./ports.ts";
import { createRecalled } from "./recalled.ts";
import type { Store } from "./store.ts";
import { type Talk, talkIn, type TalkRow } from "./talk-calls.ts";

/** What is done to messages that are there: edited, taken back, forwarded, cleared. */
export type Deeds = Pick<
  ChatActions,
  "editText" | "recall" | "reeditText" | "forward" | "clearHistory" | "loadNotice"
> & {
  /** What a message that was recalled here lately answered, as it now stands. */
  quoteOf(key: ChatKey, id: number): DraftQuote | null;
  forget(): void;
};

export interface DeedsDeps {
  ports: Ports;
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
  outbox: Outbox;
  me(): number;
  /** Until the answer of an action is here the next pull begins before it. Answers a function that ends this. */
  hold(type: Talk["type"]): () => void;
  /** Nobody knows whether it was done: asks what holds now. */
  lookAgain(type: Talk["type"] | null): Promise<void>;
}

const QUIET = { quiet: true };
const DONE = { ok: true, value: null } as const;

export function createDeeds({
  ports,
  api,
  store,
  disk,
  desk,
  outbox,
  me,
  hold,
  lookAgain,
}: DeedsDeps): Deeds {
  const recalled = createRecalled(ports, me);

  const find = (key: ChatKey, id: number): ChatMessage | undefined =>
    store.get().chats.byKey[key]?.window.messages.find((message) => message.id === id);

  /** The answer is an event that takes the way of all rows. */
  async function perform(
    key: ChatKey,
    talk: Talk,
    call: (talk: Talk) => Promise<Result<TalkRow>>,
  ): Promise<Result<null>> {
    const owner = me();
    const release = hold(talk.type);
    const result = await call(talk);
    if (owner !== me()) return DONE;
    const incoming = result.ok ? readTalk(talk.type, key, result.value, owner) : undefined;
    if (incoming?.kind === "chat") desk.apply([incoming.input]);
    release();
    return result.ok ? DONE : failed(result, talk.type);
  }

  function failed(result: Extract<Result<unknown>, { ok: false }>, type: Talk["type"] | null): Result<null> {
    // Without an answer it may have been done all the same, and nobody tells the one who did it.
    if (result.failure.kind !== "refused") void lookAgain(type);
    return result;
  }

  /** null: there is no such message, or no longer. */
  async function read(key: ChatKey, id: number): Promise<Result<ChatMessage | null>> {
    const owner = me();
    const known = find(key, id) ?? (await disk.messagesBefore(key, id + 1, 1)).find((row) => row.id === id);
    const talk = talkIn(api, key);
    if (known !== undefined || talk === null || owner !== me())
      return { ok: true, value: unlessRecalled(known) };
    const found = await talk.history({ maxId: id + 1, size: 1 });
    if (!found.ok) return found;
    const [row] = found.value;
    const incoming = row?.id === id ? readTalk(talk.type, key, row, me()) : undefined;
    const isRow = incoming?.kind === "chat" && incoming.input.kind === "row";
    return { ok: true, value: isRow ? unlessRecalled(incoming.input.message) : null };
  }

  return {
    editText(key, id, text) {
      const talk = talkIn(api, key);
      if (talk === null) return Promise.resolve(fail(UNSENDABLE));
      const edit = { type: MessageType.EDIT, content: text, tmpId: ports.random.id(), quoteMessageId: id };
      return perform(key, talk, ({ send }) => send(edit));
    },
    async recall(key, id) {
      const talk = talkIn(api, key);
      if (talk === null) return fail(UNSENDABLE);
      const message = find(key, id);
      if (message?.selfSend && message.type === MessageType.TEXT && message.status !== MessageStatus.RECALL) {
        recalled.add(key, id, { text: message.content, quote: message.quoteMessage });
      }
      const result = await perform(key, talk, ({ recall }) => recall(id));
      if (!result.ok && result.failure.kind === "refused") recalled.drop(key, id);
      return result;
    },
    reeditText(key, id) {
      const isRecalled = find(key, id)?.status === MessageStatus.RECALL;
      return isRecalled ? (recalled.get(key, id)?.text ?? null) : null;
    },
    quoteOf(key, id) {
      const quote = recalled.get(key, id)?.quote ?? null;
      if (quote === null) return null;
      const quoted = find(key, quote.id);
      if ((quoted ?? quote).status === MessageStatus.RECALL) return null;
      const { sendId, type, content } = quoted ?? quote;
      return { id: quote.id, sendId, sendNickName: quoted?.sendNickName ?? "", type, content };
    },
    async forward(from, ids, to) {
      const owner = me();
      const there: ChatMessage[] = [];
      for (const id of [...ids].sort((a, b) => a - b)) {
        const message = await read(from, id);
        if (owner !== me()) return DONE;
        if (!message.ok) return message;
        if (message.value !== null) there.push(message.value);
      }
      if (there.length === 0) return fail(GONE);
      const messages = there.filter(isForwardable);
      if (messages.length === 0 || to.length === 0) return fail(UNSENDABLE);
      store.batch(() => {
        for (const key of to) for (const { type, content } of messages) outbox.send(key, type, content);
      });
      return DONE;
    },
    async clearHistory() {
      const owner = me();
      const result = await api.call(flushAllMessages, {}, QUIET);
      if (owner !== me()) return DONE;
      if (!result.ok) return failed(result, null);
      // How far the marks reach is the server's to say.
      await lookAgain(null);
      return DONE;
    },
    loadNotice: (id) => api.call(systemContent, { query: { id } }, QUIET),
    forget: recalled.forget,
  };
}

const GONE: Failure = { kind: "refused", code: 0, key: "message.notFound", params: {}, message: "" };

function unlessRecalled(message: ChatMessage | undefined): ChatMessage | null {
  return message === undefined || message.status === MessageStatus.RECALL ? null : message;
}

/** A kind that people send themselves; a shake is meant for the moment. */
function isForwardable({ type }: ChatMessage): boolean {
  const kind = kindOf(type);
  return kind?.sendable === true && kind.shown && type !== MessageType.SHAKE;
}
