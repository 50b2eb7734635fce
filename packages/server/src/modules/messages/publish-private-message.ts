/** Pushes new private messages, and shows stored ones to their sender. */
import { Cmd, MessageStatus } from "@parley/protocol/codes";
import type { PrivateMessage } from "@parley/protocol/message";
import { type Delivery, frameOfJson } from "../../delivery.ts";
import { type Actor, Encoded } from "../../calls/call.ts";
import type { Language } from "../../calls/language.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { Store } from "../../ports/store.ts";
import { privateMessage, statusFor } from "../../presenters/message-presenter.ts";

/** Pushes new private messages and encodes the answers to their senders. */
export interface PublishPrivateMessage {
  /**
   * Pushes a new row. One JSON text serves the answer and every push, except for an answer that quotes a recalled message, because it is in
   * the sender's `language`.
   */
  publish(actor: Actor, row: PrivateRow, language: Language): Encoded<PrivateMessage>;
  /** The row in its current state, as its sender sees it. */
  viewCurrent(row: PrivateRow, language: Language): Promise<PrivateMessage>;
}

export interface PublishPrivateMessageDeps {
  store: Store;
  delivery: Delivery;
  /** The language of pushes. */
  defaultLanguage: Language;
}

export function createPublishPrivateMessage({
  store,
  delivery,
  defaultLanguage,
}: PublishPrivateMessageDeps): PublishPrivateMessage {
  return {
    publish(actor, row, language) {
      const isSelfChat = row.sendId === row.recvId;
      const status = isSelfChat ? MessageStatus.READED : MessageStatus.SENDED;
      const json = JSON.stringify(privateMessage(row, status, defaultLanguage));
      delivery.toOthersOf(actor, readersOf(row), frameOfJson(Cmd.PRIVATE, json));
      return new Encoded(
        row.quote?.isRecalled ? JSON.stringify(privateMessage(row, status, language)) : json,
      );
    },
    async viewCurrent(row, language) {
      const theirs = await store.maxReadedId(row.sendId, row.recvId);
      return privateMessage(row, statusFor(row.sendId, row, { mine: -1, theirs }), language);
    },
  };
}

function readersOf({ sendId, recvId, onlyFor }: PrivateRow): number[] {
  if (onlyFor !== null) return [onlyFor];
  return sendId === recvId ? [sendId] : [recvId, sendId];
}
