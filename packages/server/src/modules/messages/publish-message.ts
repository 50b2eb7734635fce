/** Pushes new messages, and answers them to their senders. */
import { MessageType } from "@parley/protocol/codes";
import type { MessageExtra } from "@parley/protocol/message-extra";
import { type Delivery, frameOfJson } from "../../delivery/delivery.ts";
import { type Actor, Encoded } from "../../api/api-call.ts";
import type { Language } from "../../api/language.ts";
import type { Appended, ChatKind } from "../../ports/stored-message.ts";
import type { RowOf } from "../../ports/message-store.ts";
import type { ChatStrategy, MessageOf, Receivers } from "./chat-strategy.ts";

export interface PublishMessageDeps {
  delivery: Pick<Delivery, "toOthersOf" | "webPush">;
  /** The language of pushes. */
  defaultLanguage: Language;
}

/** Pushes a new row, and returns the answer to its sender. A row that was stored before is only answered, in its current state. */
export type PublishMessage<Kind extends ChatKind> = (
  actor: Actor,
  stored: Appended<RowOf<Kind>>,
  language: Language,
) => Encoded<MessageOf<Kind>> | Promise<Encoded<MessageOf<Kind>>>;

export function createPublishMessage<Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  { delivery, defaultLanguage }: PublishMessageDeps,
): PublishMessage<Kind> {
  /**
   * One JSON text of each version serves all of its pushes. That of the sender's version serves the answer too, unless it quotes a recalled
   * message, because that answer is in the sender's `language`.
   */
  function push(
    actor: Actor,
    { versions, own }: Receivers<RowOf<Kind>>,
    extra: MessageExtra | undefined,
    language: Language,
  ): Encoded<MessageOf<Kind>> {
    const jsonOf = (row: RowOf<Kind>, readerLanguage: Language) => {
      const message = chats.viewNew(row, readerLanguage);
      return JSON.stringify(extra === undefined ? message : { ...message, extra });
    };
    let ownJson: string | undefined;
    for (const { row, userIds } of versions) {
      const json = jsonOf(row, defaultLanguage);
      delivery.toOthersOf(actor, userIds, frameOfJson(chats.cmd, json));
      alertByWebPush(row, userIds);
      if (row === own && row.quote?.isRecalled !== true) ownJson = json;
    }
    return new Encoded(ownJson ?? jsonOf(own, language));
  }

  function alertByWebPush(row: RowOf<Kind>, userIds: readonly number[]): void {
    const chat = { type: chats.type, targetId: chats.targetOfReceiver(row) };
    if (row.type === MessageType.RECALL) {
      delivery.webPush.messageRecalled(chat, Number(row.content), userIds);
    } else {
      delivery.webPush.messageStored(chat, chats.alertingMessage(row), userIds);
    }
  }

  async function answerStored(row: RowOf<Kind>, language: Language): Promise<Encoded<MessageOf<Kind>>> {
    return new Encoded(JSON.stringify(await chats.viewOwn(row, language)));
  }

  return (actor, stored, language) => {
    if (!stored.isNew) return answerStored(stored.row, language);
    const receivers = chats.receiversOf(stored);
    return receivers instanceof Promise
      ? receivers.then((loaded) => push(actor, loaded, stored.extra, language))
      : push(actor, receivers, stored.extra, language);
  };
}
