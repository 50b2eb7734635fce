/** Recalls a message: erases its content and stores an event (10) for its chat. */
import { MessageType } from "@parley/protocol/codes";
import { isWritten, kindOf } from "@parley/protocol/message";
import { type Delivery, tellOfChanges } from "../../delivery/delivery.ts";
import type { Actor, Encoded, Handlers } from "../../api/api-call.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import type { Transactions } from "../../ports/store.ts";
import type { Appended, ChatKind } from "../../ports/stored-message.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { RowOf } from "../../ports/message-store.ts";
import type { ChatStrategies, ChatStrategy, MessageOf } from "./chat-strategy.ts";
import type { MessagesTx } from "./messages-store.ts";
import { createPublishMessage } from "./publish-message.ts";

const MINUTE_SECONDS = 60;

export interface RecallMessageDeps extends ChatStrategies {
  store: Transactions<MessagesTx>;
  delivery: Delivery;
  defaultLanguage: Language;
  /** How long one's own message can be recalled. */
  recallSeconds(): number;
  /** Deletes soon the files that no message, account, group or open report keeps any more. */
  deleteReleasedFiles(): void;
}

export function createRecallMessage(
  deps: RecallMessageDeps,
): Pick<Handlers, "recallPrivateMessage" | "recallGroupMessage"> {
  return {
    recallPrivateMessage: createRecall(deps.privateChats, deps),
    recallGroupMessage: createRecall(deps.groupChats, deps),
  };
}

interface RecallCall {
  actor: Actor;
  params: { id: number };
  now: number;
  language: Language;
}

interface Recalled<Row> {
  event: Appended<Row>;
  /** Whether the message was of a kind that names files. */
  hadFiles: boolean;
  /** Who had saved it. */
  savedBy: readonly number[];
}

function createRecall<Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  deps: RecallMessageDeps,
): (call: RecallCall) => Promise<Encoded<MessageOf<Kind>>> {
  const { store, delivery, defaultLanguage, recallSeconds, deleteReleasedFiles } = deps;
  const publish = createPublishMessage(chats, deps);

  async function recall(
    tx: MessagesTx,
    userId: number,
    id: number,
    now: number,
  ): Promise<Recalled<RowOf<Kind>>> {
    const target = await tx.findVisibleMessage(chats.type, userId, id);
    if (target === undefined) throw new ApiError("message.notFound");
    const earlier = target.noticeId === null ? undefined : await findRecallEvent(tx, target.noticeId);
    // A repeated recall is answered even if the rights have changed since.
    if (earlier !== undefined && (target.sendId === userId || earlier.sendId === userId))
      return repeated(earlier);
    const { event, tip, isTimeLimited } = await chats.authorizeRecall(tx, target, {
      tmpId: null,
      type: MessageType.RECALL,
      sendId: userId,
      content: String(id),
      sendTime: now,
    });
    if (earlier !== undefined) return repeated(earlier);
    if (!isWritten(target)) throw new ApiError("message.notYours");
    if (isTimeLimited) requireRecallWindow(await tx.messageAge(target, now));
    const stored = await chats.appendWithin(tx, event);
    const content = tipSentence(tip.key, defaultLanguage, tip.params);
    const savedBy = await tx.recallMessage({ id, noticeId: stored.row.id, content, tip });
    return { event: stored, hadFiles: kindOf(target.type)?.fileFields !== undefined, savedBy };
  }

  function repeated(row: RowOf<Kind>): Recalled<RowOf<Kind>> {
    return { event: { row, isNew: false }, hadFiles: false, savedBy: [] };
  }

  async function findRecallEvent(tx: MessagesTx, noticeId: number): Promise<RowOf<Kind>> {
    const event = await tx.findMessage(chats.type, noticeId);
    if (event === undefined) throw new Error(`the recall event ${noticeId} was not found`);
    return event;
  }

  /** Throws if the message is too old to be recalled. */
  function requireRecallWindow(ageMs: number): void {
    const seconds = recallSeconds();
    if (ageMs <= seconds * 1_000) return;
    throw new ApiError("message.recallTooLate", { minutes: Math.ceil(seconds / MINUTE_SECONDS) });
  }

  return async ({ actor, params, now, language }) => {
    const recalled = await store.write((tx) => recall(tx, actor.userId, params.id, now));
    if (recalled.hadFiles) deleteReleasedFiles();
    tellOfChanges(delivery, recalled.savedBy);
    return publish(actor, recalled.event, language);
  };
}
