/** Taking a message back: its content is gone for good, and a stored notice (10) tells both sides. */
import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import type { Delivery } from "../../delivery.ts";
import { Encoded, type Handlers, Refusal } from "../../ports/call.ts";
import type { Language } from "../../ports/language.ts";
import type { PrivateRow, Store, Tx } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored.ts";
import { tipSentence } from "../../rules/tips.ts";
import { createTelling } from "./telling.ts";

const MINUTE_SECONDS = 60;

export interface RecallDeps {
  store: Store;
  delivery: Delivery;
  defaultLanguage: Language;
  /** How long a message can be recalled. */
  recallSeconds: number;
}

export function createRecall(deps: RecallDeps): Pick<Handlers, "recallPrivateMessage"> {
  const { store, defaultLanguage, recallSeconds } = deps;
  const { tellNew, asItStands } = createTelling(deps);

  async function recall(tx: Tx, userId: number, id: number, now: number): Promise<Appended<PrivateRow>> {
    const target = await tx.findVisiblePrivate(userId, id);
    if (target === undefined) throw new Refusal("message.notFound");
    if (target.sendId !== userId) throw new Refusal("message.notYours");
    if (target.noticeId !== null) return { row: await noticeOf(tx, target.noticeId), isNew: false };
    if (!isRecallable(target)) throw new Refusal("message.notYours");
    refuseLate(target, now, recallSeconds);
    const notice = await tx.appendPrivate({
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
    await tx.recallPrivate({ id, noticeId: notice.row.id, content, tip });
    return notice;
  }

  return {
    async recallPrivateMessage({ actor, params, now, language }) {
      const { row, isNew } = await store.write((tx) => recall(tx, actor.userId, params.id, now));
      return isNew
        ? tellNew(actor, row, language)
        : new Encoded(JSON.stringify(await asItStands(row, language)));
    },
  };
}

/** Tips and records of calls have a sender too, but are nobody's words. */
export function isRecallable({ type }: { type: number }): boolean {
  const kind = kindOf(type);
  return kind !== undefined && kind.shown && kind.sendable !== false;
}

export function refuseLate(target: { sendTime: number }, now: number, recallSeconds: number): void {
  if (now - target.sendTime <= recallSeconds * 1_000) return;
  throw new Refusal("message.recallTooLate", { minutes: Math.ceil(recallSeconds / MINUTE_SECONDS) });
}

async function noticeOf(tx: Tx, noticeId: number): Promise<PrivateRow> {
  const notice = await tx.findPrivate(noticeId);
  if (notice === undefined) throw new Error(`the notice ${noticeId} of a recall is not there`);
  return notice;
}
