import { MessageStatus } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { DONE, localFailure, fail } from "../connection/api.ts";
import { copiedContent } from "../model/chats/polls.ts";
import { readChatRow } from "../model/connection/read-frame.ts";
import type { ChatKey, ChatMessage, Result } from "../model/state.ts";
import { chatApiOf, NOT_SENDABLE } from "./chat-api.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { Outbox } from "./outbox.ts";

/** Sends copies in the order of ids to each chat. Kinds that cannot be forwarded are left out; fails if none remain. */
export type ForwardAction = (
  from: ChatKey,
  ids: readonly number[],
  to: readonly ChatKey[],
) => Promise<Result<null>>;

/** What forwarding needs. */
export interface ForwardDeps extends Pick<ChatDeps, "api" | "stateStore" | "database" | "chatStore" | "me"> {
  outbox: Outbox;
}

/** Creates the action that sends messages of one chat to other chats, in their order. */
export function createForward(deps: ForwardDeps): ForwardAction {
  const { api, stateStore, database, chatStore, outbox, me } = deps;

  /** Value null: there is no such message, or no longer. */
  async function loadMessage(key: ChatKey, id: number): Promise<Result<ChatMessage | null>> {
    const localMessage =
      chatStore.messageOf(key, id) ??
      (await database.messagesBefore(key, id + 1, 1)).find((row) => row.id === id) ??
      stateStore.get().savedCopies[id]?.message;
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

  return async (from, ids, to) => {
    const originals: ChatMessage[] = [];
    for (const id of [...ids].sort((a, b) => a - b)) {
      const message = await loadMessage(from, id);
      if (!message.ok) return message;
      if (message.value !== null) originals.push(message.value);
    }
    if (originals.length === 0) return fail(localFailure("message.notFound"));
    const messages = originals.filter(({ type }) => kindOf(type)?.isForwardable === true);
    if (messages.length === 0 || to.length === 0) return fail(NOT_SENDABLE);
    stateStore.batch(() => {
      for (const key of to)
        for (const message of messages) outbox.send(key, message.type, copiedContent(message));
    });
    return DONE;
  };
}

function unlessRecalled(message: ChatMessage | undefined): ChatMessage | null {
  return message === undefined || message.status === MessageStatus.RECALL ? null : message;
}
