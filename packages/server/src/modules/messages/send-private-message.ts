/** Sends a private message. No other call is made as often, so this path must be fast. */
import { MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import type { sendPrivateMessage } from "@parley/protocol/endpoints/messages";
import type { Delivery } from "../../delivery.ts";
import { ApiError, refuseIfLimited } from "../../calls/api-error.ts";
import { type Actor, Encoded, type Handlers } from "../../calls/call.ts";
import type { Language } from "../../calls/language.ts";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import { isQuotable, quotedRow } from "../../presenters/message-presenter.ts";
import { createMessageContent } from "./message-content.ts";
import { createEditPrivateMessage } from "./edit-private-message.ts";
import { findAlreadySent } from "./idempotency.ts";
import { createNudgeLimit } from "./nudge-limit.ts";
import type { Sender, FriendshipCache } from "./friendship-cache.ts";
import { createPublishPrivateMessage } from "./publish-private-message.ts";

export interface SendPrivateMessageDeps {
  store: Store;
  delivery: Delivery;
  defaultLanguage: Language;
  rateLimiter: RateLimiter;
  friendships: FriendshipCache;
  isMoneyAllowed: boolean;
  /** How long a text may be edited. */
  editSeconds: number;
}

type Body = BodyOf<typeof sendPrivateMessage>;

export function createSendPrivateMessage(deps: SendPrivateMessageDeps): Pick<Handlers, "sendPrivateMessage"> {
  const { store, rateLimiter, friendships } = deps;
  const validateContent = createMessageContent(deps);
  const limitNudge = createNudgeLimit();
  const edit = createEditPrivateMessage(deps);
  const { publish, viewCurrent } = createPublishPrivateMessage(deps);

  /**
   * Checks everything, then stores. Returns the stored row for a known tmpId. It is synchronous if the relationship is cached, because
   * each promise here makes every message slower.
   */
  function append(actor: Actor, body: Body, now: number): Promise<Appended<PrivateRow>> {
    const content = body.type === MessageType.EDIT ? body.content : validateContent(body.type, body.content);
    const sender = friendships.find(actor.userId, body.recvId);
    if (typeof content === "string" && !(sender instanceof Promise)) {
      return appendChecked(actor, body, now, content, sender);
    }
    return Promise.all([content, sender]).then(([validContent, loaded]) =>
      appendChecked(actor, body, now, validContent, loaded),
    );
  }

  function appendChecked(
    actor: Actor,
    body: Body,
    now: number,
    content: string,
    sender: Sender | undefined,
  ): Promise<Appended<PrivateRow>> {
    if (sender === undefined) throw new ApiError("user.notFound");
    if (sender.relationship !== "ok") {
      throw new ApiError(sender.relationship === "notFriend" ? "message.notFriend" : "message.blockedYou");
    }
    const message: NewPrivateMessage = {
      tmpId: body.tmpId || null,
      type: body.type,
      sendId: actor.userId,
      recvId: body.recvId,
      sendNickName: sender.nickName,
      content,
      sendTime: now,
    };
    if (body.type === MessageType.EDIT) return edit(message, body.quoteMessageId);
    const write = () =>
      body.quoteMessageId ? appendQuoting(message, body.quoteMessageId) : store.appendPrivate(message);
    return body.type === MessageType.SHAKE
      ? limitNudge(actor.userId, String(body.recvId), now, write)
      : write();
  }

  /** Reads the quoted row in the transaction that appends, so that the quote cannot contain the text of a message that is recalled meanwhile. */
  function appendQuoting(message: NewPrivateMessage, quoteId: number): Promise<Appended<PrivateRow>> {
    return store.write(async (tx) => {
      const quoted = await tx.findVisiblePrivate(message.sendId, quoteId);
      if (quoted === undefined || !isQuotable(quoted, message)) throw new ApiError("message.quoteUnknown");
      return tx.appendPrivate({ ...message, quote: quotedRow(quoted) });
    });
  }

  /** Reads within the queue of writes: the first send may still be waiting there. */
  function findSent(userId: number, tmpId: string): Promise<PrivateRow | undefined> {
    return store.write((tx) => tx.findPrivateByTmpId(userId, tmpId));
  }

  return {
    async sendPrivateMessage({ actor, body, now, language }) {
      refuseIfLimited(rateLimiter.consumeSend(actor.userId, now));
      let sent: Appended<PrivateRow>;
      try {
        sent = await append(actor, body, now);
      } catch (error) {
        sent = await findAlreadySent(error, body.tmpId, (tmpId) => findSent(actor.userId, tmpId));
      }
      const { row, isNew } = sent;
      return isNew
        ? publish(actor, row, language)
        : new Encoded(JSON.stringify(await viewCurrent(row, language)));
    },
  };
}
