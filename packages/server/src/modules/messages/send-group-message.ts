/** Sends to a group: one row and one frame, however many members there are. */
import { MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import type { sendGroupMessage } from "@parley/protocol/endpoints/group-messages";
import { RECEIPT_MEMBERS_MAX } from "@parley/protocol/limits";
import type { Delivery } from "../../delivery.ts";
import { ApiError, refuseIfLimited } from "../../calls/api-error.ts";
import type { Actor, Handlers } from "../../calls/call.ts";
import type { Language } from "../../calls/language.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import { isForAll, quotedRow } from "../../presenters/message-presenter.ts";
import { createMessageContent } from "./message-content.ts";
import { createEditGroupMessage } from "./edit-group-message.ts";
import { createPublishGroupMessage } from "./publish-group-message.ts";
import { findAlreadySent } from "./idempotency.ts";
import { type CachedGroup, type GroupCache, requireMembership, authorizeInGroup } from "./group-cache.ts";
import { createNudgeLimit } from "./nudge-limit.ts";

export interface SendGroupMessageDeps {
  store: Store;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  groupCache: GroupCache;
  defaultLanguage: Language;
  isMoneyAllowed: boolean;
  /** How long a text may be edited. */
  editSeconds: number;
}

type Body = BodyOf<typeof sendGroupMessage>;
type GroupAppendResult = Awaited<ReturnType<Store["appendGroup"]>>;

const MENTION_ALL = -1;

export function createSendGroupMessage(deps: SendGroupMessageDeps): Pick<Handlers, "sendGroupMessage"> {
  const { store, rateLimiter, groupCache } = deps;
  const validateContent = createMessageContent(deps);
  const limitNudge = createNudgeLimit();
  const edit = createEditGroupMessage(deps);
  const { publish, viewCurrent } = createPublishGroupMessage(deps);

  /** Checks everything, then stores. Returns the stored row for a known tmpId. Avoids promises, for the reason in `send-private-message.ts`. */
  function append(actor: Actor, body: Body, now: number): Promise<GroupAppendResult> {
    const content = body.type === MessageType.EDIT ? body.content : validateContent(body.type, body.content);
    const cached = groupCache.find(body.groupId);
    if (typeof content === "string" && !(cached instanceof Promise)) {
      return appendChecked(actor.userId, body, now, content, cached);
    }
    return Promise.all([content, cached]).then(([validContent, loaded]) =>
      appendChecked(actor.userId, body, now, validContent, loaded),
    );
  }

  function appendChecked(
    me: number,
    body: Body,
    now: number,
    content: string,
    cached: CachedGroup | undefined,
  ): Promise<GroupAppendResult> {
    if (cached === undefined) throw new ApiError("group.notFound");
    const isEdit = body.type === MessageType.EDIT;
    const sender = authorizeInGroup(isEdit ? "edit" : "speak", cached, me);
    const message: NewGroupMessage = {
      tmpId: body.tmpId || null,
      type: body.type,
      groupId: body.groupId,
      sendId: me,
      sendRole: sender.role,
      sendNickName: sender.name,
      content,
      sendTime: now,
    };
    if (isEdit) return edit(message, body.quoteMessageId);
    message.atUserIds = validateMentions(body, cached, me);
    message.receipt = validateReceipt(body, cached, me);
    const write = () =>
      body.quoteMessageId ? appendQuoting(message, body.quoteMessageId) : store.appendGroup(message);
    return body.type === MessageType.SHAKE ? limitNudge(me, String(body.groupId), now, write) : write();
  }

  /** Reads the quoted row in the transaction that appends, so that the quote cannot contain the text of a message that is recalled meanwhile. */
  function appendQuoting(message: NewGroupMessage, quoteId: number): Promise<Appended<GroupMessageRow>> {
    return store.write(async (tx) => {
      await requireMembership(tx, message.groupId, message.sendId);
      const isVisible = (await tx.findVisibleGroupMessage(message.sendId, quoteId)) !== undefined;
      // Take the current row, even if the sender has missed an edit of it: publishing shows each reader the right text.
      const quoted = isVisible ? await tx.findGroupMessage(quoteId) : undefined;
      if (quoted === undefined || quoted.groupId !== message.groupId || !isForAll(quoted))
        throw new ApiError("message.quoteUnknown");
      return tx.appendGroup({ ...message, quote: quotedRow(quoted) });
    });
  }

  return {
    async sendGroupMessage({ actor, body, now, language }) {
      refuseIfLimited(rateLimiter.consumeSend(actor.userId, now));
      let sent: Appended<GroupMessageRow>;
      try {
        const result = await append(actor, body, now);
        if (result === "senderLeft") throw new ApiError("message.notInGroup");
        sent = result;
      } catch (error) {
        // Read within the queue of writes: the first send may still be waiting there.
        sent = await findAlreadySent(error, body.tmpId, (tmpId) =>
          store.write((tx) => tx.findGroupMessageByTmpId(actor.userId, tmpId)),
        );
      }
      return sent.isNew ? publish(actor, sent, language) : viewCurrent(sent.row, language);
    },
  };
}

/** Only members can be mentioned, each once, and everyone only by owner and admins. */
function validateMentions({ atUserIds }: Body, cached: CachedGroup, me: number): readonly number[] {
  const ids = [...new Set(atUserIds ?? [])];
  for (const id of ids) {
    if (id === MENTION_ALL) authorizeInGroup("mentionAll", cached, me);
    else if (cached.members.get(id)?.quit !== false) throw new ApiError("message.mentionUnknown");
  }
  return ids;
}

function validateReceipt({ receipt }: Body, cached: CachedGroup, me: number): boolean {
  if (receipt !== true) return false;
  authorizeInGroup("askReceipt", cached, me);
  if (cached.memberIds.length > RECEIPT_MEMBERS_MAX) {
    throw new ApiError("message.receiptTooMany", { max: RECEIPT_MEMBERS_MAX });
  }
  return true;
}
