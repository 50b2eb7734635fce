/** Sending a private message: the path every other cost is measured against. */
import { MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import type { sendPrivateMessage } from "@parley/protocol/endpoints/messages";
import type { Delivery } from "../../delivery.ts";
import { type Actor, Encoded, type Handlers, type Limits, Refusal } from "../../ports/call.ts";
import type { Language } from "../../ports/language.ts";
import type { NewPrivateMessage, PrivateRow, Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored.ts";
import { isQuotable, quotedRow } from "../../rules/messages.ts";
import { createContents } from "./contents.ts";
import { createEdit } from "./edit.ts";
import { knownInstead } from "./repeats.ts";
import { createShakes } from "./shakes.ts";
import type { Sender, Standings } from "./standings.ts";
import { createTelling } from "./telling.ts";

export interface SendDeps {
  store: Store;
  delivery: Delivery;
  defaultLanguage: Language;
  limits: Limits;
  standings: Standings;
  isMoneyAllowed: boolean;
  /** How long a text may be edited. */
  editSeconds: number;
}

type Body = BodyOf<typeof sendPrivateMessage>;

export function createSend(deps: SendDeps): Pick<Handlers, "sendPrivateMessage"> {
  const { store, limits, standings } = deps;
  const readContent = createContents(deps);
  const shake = createShakes();
  const edit = createEdit(deps);
  const { tellNew, asItStands } = createTelling(deps);

  /**
   * Checks everything, then stores; answers the row that was there before for a tmpId that is known. What is remembered takes no turn:
   * each promise on this path is paid by every message.
   */
  function append(actor: Actor, body: Body, now: number): Promise<Appended<PrivateRow>> {
    const content = body.type === MessageType.EDIT ? body.content : readContent(body.type, body.content);
    const sender = standings.find(actor.userId, body.recvId);
    if (typeof content === "string" && !(sender instanceof Promise)) {
      return appendChecked(actor, body, now, content, sender);
    }
    return Promise.all([content, sender]).then(([read, found]) =>
      appendChecked(actor, body, now, read, found),
    );
  }

  function appendChecked(
    actor: Actor,
    body: Body,
    now: number,
    content: string,
    sender: Sender | undefined,
  ): Promise<Appended<PrivateRow>> {
    if (sender === undefined) throw new Refusal("user.notFound");
    if (sender.standing !== "ok") {
      throw new Refusal(sender.standing === "notFriend" ? "message.notFriend" : "message.blockedYou");
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
    return body.type === MessageType.SHAKE ? shake(actor.userId, String(body.recvId), now, write) : write();
  }

  /** The quoted row is read in the transaction that appends: a recall beside it cannot slip its text through. */
  function appendQuoting(message: NewPrivateMessage, quoteId: number): Promise<Appended<PrivateRow>> {
    return store.write(async (tx) => {
      const quoted = await tx.findVisiblePrivate(message.sendId, quoteId);
      if (quoted === undefined || !isQuotable(quoted, message)) throw new Refusal("message.quoteUnknown");
      return tx.appendPrivate({ ...message, quote: quotedRow(quoted) });
    });
  }

  /** Asked behind the writes under way: the first one may be among them. */
  function findSent(userId: number, tmpId: string): Promise<PrivateRow | undefined> {
    return store.write((tx) => tx.findPrivateByTmpId(userId, tmpId));
  }

  return {
    async sendPrivateMessage({ actor, body, now, language }) {
      limits.takeSend(actor.userId, now);
      let sent: Appended<PrivateRow>;
      try {
        sent = await append(actor, body, now);
      } catch (error) {
        sent = await knownInstead(error, body.tmpId, (tmpId) => findSent(actor.userId, tmpId));
      }
      const { row, isNew } = sent;
      return isNew
        ? tellNew(actor, row, language)
        : new Encoded(JSON.stringify(await asItStands(row, language)));
    },
  };
}
