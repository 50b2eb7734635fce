/** Recalls a private message: erases its content and stores an event (10) for both sides. */
import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import type { Delivery } from "../../delivery.ts";
import { ApiError } from "../../calls/api-error.ts";
import { Encoded, type Handlers } from "../../calls/call.ts";
import type { Language } from "../../calls/language.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { Store, Tx } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import { createPublishPrivateMessage } from "./publish-private-message.ts";

const MINUTE_SECONDS = 60;

export interface RecallPrivateMessageDeps {
  store: Store;
  delivery: Delivery;
  defaultLanguage: Language;
  /** How long a message can be recalled. */
  recallSeconds: number;
}

export function createRecallPrivateMessage(
  deps: RecallPrivateMessageDeps,
): Pick<Handlers, "recallPrivateMessage"> {
  const { store, defaultLanguage, recallSeconds } = deps;
  const { publish, viewCurrent } = createPublishPrivateMessage(deps);

  async function recall(tx: Tx, userId: number, id: number, now: number): Promise<Appended<PrivateRow>> {
    const target = await tx.findVisiblePrivate(userId, id);
    if (target === undefined) throw new ApiError("message.notFound");
    if (target.sendId !== userId) throw new ApiError("message.notYours");
    if (target.noticeId !== null) return { row: await findRecallEvent(tx, target.noticeId), isNew: false };
    if (!isRecallable(target)) throw new ApiError("message.notYours");
    requireRecallWindow(target, now, recallSeconds);
    const event = await tx.appendPrivate({
      tmpId: null,
      type: MessageType.RECALL,
      sendId: userId,
      recvId: target.recvId,
      sendNickName: target.sendNickName,
      content: String(id),
      sendTime: now,
    });
    const tip = { key: "recalled", params: { name: target.sendNickName } } as const;
    const content = tipSentence(tip.key, defaultLanguage, tip.params);
    await tx.recallPrivate({ id, noticeId: event.row.id, content, tip });
    return event;
  }

  return {
    async recallPrivateMessage({ actor, params, now, language }) {
      const { row, isNew } = await store.write((tx) => recall(tx, actor.userId, params.id, now));
      return isNew
        ? publish(actor, row, language)
        : new Encoded(JSON.stringify(await viewCurrent(row, language)));
    },
  };
}

/** Whether messages of this type can be recalled. Tips and records of calls have a sender too, but nobody wrote them. */
export function isRecallable({ type }: { type: number }): boolean {
  const kind = kindOf(type);
  return kind !== undefined && kind.shown && kind.sendable !== false;
}

/** Throws if the message is too old to be recalled. */
export function requireRecallWindow(target: { sendTime: number }, now: number, recallSeconds: number): void {
  if (now - target.sendTime <= recallSeconds * 1_000) return;
  throw new ApiError("message.recallTooLate", { minutes: Math.ceil(recallSeconds / MINUTE_SECONDS) });
}

async function findRecallEvent(tx: Tx, noticeId: number): Promise<PrivateRow> {
  const event = await tx.findPrivate(noticeId);
  if (event === undefined) throw new Error(`the recall event ${noticeId} was not found`);
  return event;
}
