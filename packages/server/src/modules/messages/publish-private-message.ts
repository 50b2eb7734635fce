/** What a stored private row looks like to its two people, and who hears of a new one. */
import { Cmd, MessageStatus } from "@parley/protocol/codes";
import type { PrivateMessage } from "@parley/protocol/message";
import { type Delivery, frameOfJson } from "../../delivery.ts";
import { type Actor, Encoded } from "../../ports/call.ts";
import type { Language } from "../../ports/language.ts";
import type { PrivateRow, Store } from "../../ports/store.ts";
import { privateMessage, statusFor } from "../../presenters/message-presenter.ts";

export interface PublishPrivateMessage {
  /**
   * One text serves the answer and every push: a new row reads the same for both sides, but where what it quotes was taken back. `language`:
   * of the answer.
   */
  publish(actor: Actor, row: PrivateRow, language: Language): Encoded<PrivateMessage>;
  /** For its sender. */
  viewCurrent(row: PrivateRow, language: Language): Promise<PrivateMessage>;
}

export interface PublishPrivateMessageDeps {
  store: Store;
  delivery: Delivery;
  /** Pushes are written in it. */
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
