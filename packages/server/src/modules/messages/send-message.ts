/** Sends a message. No other call is made as often, so this path must be fast. */
import { MessageType } from "@parley/protocol/codes";
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { filesOf, kindOf } from "@parley/protocol/message";
import type { Poll } from "@parley/protocol/poll";
import type { Delivery } from "../../delivery/delivery.ts";
import type { Actor, Encoded, Handlers } from "../../api/api-call.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import type { Appended, ChatKind } from "../../ports/stored-message.ts";
import { createAppendWithParts } from "./append-with-parts.ts";
import type { NewOf, RowOf } from "../../ports/message-store.ts";
import type { ChatStrategies, ChatStrategy, MessageOf, SenderOf, SentBody } from "./chat-strategy.ts";
import { createEditMessage } from "./edit-message.ts";
import { createMessageContent } from "./message-content.ts";
import type { MessagesStore } from "./messages-store.ts";
import { pollContent, validatePoll } from "./polls.ts";
import { createNudgeLimit, requireNudgeInterval } from "./nudge-limit.ts";
import { createPublishMessage } from "./publish-message.ts";

export interface SendMessageDeps extends ChatStrategies {
  store: MessagesStore;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  defaultLanguage: Language;
  isMoneyAllowed: boolean;
  /** How long a text may be edited. */
  editSeconds(): number;
  /** How many characters a text may have. */
  textMax(): number;
  metrics: Pick<Metrics, "messageSent">;
}

export function createSendMessage(
  deps: SendMessageDeps,
): Pick<Handlers, "sendPrivateMessage" | "sendGroupMessage"> {
  return {
    sendPrivateMessage: createSend(deps.privateChats, deps),
    sendGroupMessage: createSend(deps.groupChats, deps),
  };
}

interface SendCall<Body> {
  actor: Actor;
  body: Body;
  now: number;
  language: Language;
}

function createSend<Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  deps: SendMessageDeps,
): (call: SendCall<SentBody<Kind>>) => Promise<Encoded<MessageOf<Kind>>> {
  const { store, rateLimiter } = deps;
  const validateContent = createMessageContent(deps);
  const limitNudge = createNudgeLimit();
  const appendWithParts = createAppendWithParts(chats, store);
  const edit = createEditMessage(chats, deps);
  const publish = createPublishMessage(chats, deps);

  /**
   * Checks everything, then stores. Returns the stored row for a known tmpId. It is synchronous if the sender is cached, because each
   * promise here makes every message slower.
   */
  function append(
    userId: number,
    body: SentBody<Kind>,
    now: number,
    language: Language,
  ): Promise<Appended<RowOf<Kind>> | "senderLeft"> {
    const poll = body.poll ? validatePoll(body.poll, body, { userId, now }) : undefined;
    const content =
      poll !== undefined
        ? pollContent(poll, language)
        : body.type === MessageType.EDIT
          ? body.content
          : validateContent(body.type, body.content, { userId, now });
    const sender = chats.findSender(userId, chats.targetOfBody(body));
    if (typeof content === "string" && !(sender instanceof Promise)) {
      return appendChecked(userId, body, now, content, sender, poll);
    }
    return appendLoaded(userId, body, now, content, sender, poll);
  }

  async function appendLoaded(
    userId: number,
    body: SentBody<Kind>,
    now: number,
    content: string | Promise<string>,
    sender: SenderOf<Kind> | Promise<SenderOf<Kind>>,
    poll: Poll | undefined,
  ): Promise<Appended<RowOf<Kind>> | "senderLeft"> {
    await Promise.all([content, sender]);
    return appendChecked(userId, body, now, await content, await sender, poll);
  }

  function appendChecked(
    userId: number,
    body: SentBody<Kind>,
    now: number,
    content: string,
    sender: SenderOf<Kind>,
    poll: Poll | undefined,
  ): Promise<Appended<RowOf<Kind>> | "senderLeft"> {
    const message = chats.newMessage(sender, userId, body, content, now);
    const { type, quoteMessageId } = body;
    if (type === MessageType.EDIT) return edit(message, quoteMessageId);
    const files = filesOf(type, content);
    const write = (): Promise<Appended<RowOf<Kind>> | "senderLeft"> =>
      quoteMessageId || files.length > 0 || poll !== undefined
        ? appendWithParts(message, quoteMessageId ?? 0, files, { poll })
        : chats.append(message);
    return kindOf(type)?.shakesWindow
      ? nudge(message, chats.targetOfBody(body), quoteMessageId ?? 0, now)
      : write();
  }

  /** The memory of this node also knows nudges that were recalled; the store knows those of other nodes. */
  function nudge(
    message: NewOf<Kind>,
    targetId: number,
    quoteId: number,
    now: number,
  ): Promise<Appended<RowOf<Kind>>> {
    return limitNudge(message.sendId, String(targetId), now, () =>
      appendWithParts(message, quoteId, [], {
        async check(tx) {
          await chats.requireSender(tx, message);
          requireNudgeInterval(
            await tx.nudgeAge(chats.type, message.sendId, targetId, SHAKE_INTERVAL_MS, now),
          );
        },
      }),
    );
  }

  /**
   * A send that is refused now may have been stored while it was allowed, and its answer lost. Returns the stored row of the tmpId, or
   * throws `error`.
   */
  async function findAlreadySent(
    error: unknown,
    { userId }: Actor,
    { tmpId }: SentBody<Kind>,
  ): Promise<Appended<RowOf<Kind>>> {
    if (!(error instanceof ApiError) || !tmpId) throw error;
    // Read within the queue of writes: the first send may still be waiting there.
    const row = await store.write((tx) => tx.findMessageByTmpId(chats.type, userId, tmpId));
    if (row === undefined) throw error;
    return { row, isNew: false };
  }

  return async ({ actor, body, now, language }) => {
    refuseIfLimited(rateLimiter.take("sends", actor.userId, 1, now));
    let sent: Appended<RowOf<Kind>>;
    try {
      const appended = await append(actor.userId, body, now, language);
      if (appended === "senderLeft") throw new ApiError("message.notInGroup");
      sent = appended;
    } catch (error) {
      sent = await findAlreadySent(error, actor, body);
    }
    if (sent.isNew) deps.metrics.messageSent(chats.type);
    return publish(actor, sent, language);
  };
}
