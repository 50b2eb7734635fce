/** Sending a private message: the path every other cost is measured against. */
import { Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import type { sendPrivateMessage } from "@parley/protocol/endpoints/messages";
import { TEXT_MAX } from "@parley/protocol/limits";
import type { PrivateMessage } from "@parley/protocol/message";
import { codePoints } from "@parley/protocol/text";
import { type Delivery, frameOfJson } from "../../delivery.ts";
import { type Actor, Encoded, type Handlers, type Limits, Refusal } from "../../ports/call.ts";
import type { PrivateRow, Store } from "../../ports/store.ts";
import { privateMessage, statusFor } from "../../rules/messages.ts";
import type { Standings } from "./standings.ts";

export interface SendDeps {
  store: Store;
  delivery: Delivery;
  limits: Limits;
  standings: Standings;
}

export function createSend(deps: SendDeps): Pick<Handlers, "sendPrivateMessage"> {
  const { store, delivery, limits, standings } = deps;
  return {
    async sendPrivateMessage({ actor, body, now }) {
      limits.takeSend(actor.userId, now);
      refuseContent(body);
      const found = standings.find(actor.userId, body.recvId);
      const sender = found instanceof Promise ? await found : found;
      if (sender === undefined) throw new Refusal("user.notFound");
      if (sender.standing !== "ok") {
        // Stored while they were friends, and the answer was lost: a repeat is no new message.
        const known = body.tmpId ? await store.findPrivateByTmpId(actor.userId, body.tmpId) : undefined;
        if (known !== undefined) return asItStands(known);
        throw new Refusal(sender.standing === "notFriend" ? "message.notFriend" : "message.blockedYou");
      }
      const { row, isNew } = await store.appendPrivate({
        tmpId: body.tmpId || null,
        type: body.type,
        sendId: actor.userId,
        recvId: body.recvId,
        sendNickName: sender.nickName,
        content: body.content,
        sendTime: now,
      });
      return isNew ? tell(actor, row) : new Encoded(JSON.stringify(await asItStands(row)));
    },
  };

  /** One text serves the answer and every push: a new row reads the same for both sides. */
  function tell(actor: Actor, row: PrivateRow): Encoded<PrivateMessage> {
    const isNote = row.sendId === row.recvId;
    const status = isNote ? MessageStatus.READED : MessageStatus.SENDED;
    const json = JSON.stringify(privateMessage(row, status));
    const readers = isNote ? [row.sendId] : [row.recvId, row.sendId];
    delivery.toOthersOf(actor, readers, frameOfJson(Cmd.PRIVATE, json));
    return new Encoded(json);
  }

  async function asItStands(row: PrivateRow): Promise<PrivateMessage> {
    const theirs = await store.maxReadedId(row.sendId, row.recvId);
    return privateMessage(row, statusFor(row.sendId, row, { mine: -1, theirs }));
  }
}

function refuseContent({ type, content }: BodyOf<typeof sendPrivateMessage>): void {
  if (type !== MessageType.TEXT) throw new Refusal("message.typeNotAllowed");
  // A text has at least as many units as code points, so most need no counting.
  if (content.length > TEXT_MAX && codePoints(content) > TEXT_MAX) {
    throw new Refusal("message.tooLong", { max: TEXT_MAX });
  }
  if (!/\S/.test(content)) throw new Refusal("message.empty");
}
