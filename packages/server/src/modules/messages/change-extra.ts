/** What people do to messages that they see, such as reacting to them: the rules that are the same for every kind of extra. */
import { isWritten } from "@parley/protocol/message";
import type { ExtraAct, MessageExtra } from "@parley/protocol/message-extra";
import type { Actor } from "../../api/api-call.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { RowOf } from "../../ports/message-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import type { ChatStrategies, ChatStrategy, ExtraRight } from "./chat-strategy.ts";
import type { MessagesReads, MessagesStore, MessagesTx } from "./messages-store.ts";
import type { PublishExtra } from "./publish-extra.ts";

export interface ChangeExtraDeps extends ChatStrategies {
  store: MessagesStore;
  publishExtra: PublishExtra;
  rateLimiter: Pick<RateLimiter, "take">;
}

/** A state of a message that a person sets. Setting it again changes nothing. */
export interface ExtraChange {
  /** What the others are told that the person did; null: only how it is now. */
  act: Omit<ExtraAct, "by"> | null;
  right: ExtraRight;
  /** Why nothing can be set of a message that nobody wrote, or that was recalled. */
  notPossible: "reaction.notPossible" | "pin.notPossible" | "poll.notPossible";
  /** Whether it is set already. Throws if it cannot be. */
  isSet(before: MessageExtra | undefined): boolean;
  /** Stores it and returns the extra after it, or throws. */
  store(tx: MessagesTx, before: MessageExtra | undefined): Promise<MessageExtra>;
}

/** Changes the extra of a message that the person sees, and tells those who see it too. Returns the extra after it. */
export type ChangeExtra = (
  call: { actor: Actor; now: number },
  id: number,
  change: ExtraChange,
) => Promise<MessageExtra>;

export function createChangeExtra({
  store,
  publishExtra,
  rateLimiter,
  privateChats,
  groupChats,
}: ChangeExtraDeps): ChangeExtra {
  async function change<Kind extends ChatKind>(
    chats: ChatStrategy<Kind>,
    row: RowOf<Kind>,
    actor: Actor,
    { act, right, notPossible, isSet, store: write }: ExtraChange,
  ): Promise<MessageExtra> {
    const { userId } = actor;
    if (!isWritten(row) || row.noticeId !== null) throw new ApiError(notPossible);
    await chats.authorizeExtra(userId, row, right);
    const { extra, isNew } = await store.write(async (tx) => {
      // It may have been recalled since.
      const current = await tx.findMessage(chats.type, row.id);
      if (current?.noticeId !== null) throw new ApiError(notPossible);
      const before = (await tx.listExtras(userId, [row.id])).get(row.id);
      if (isSet(before)) return { extra: before ?? { v: 0, mine: {} }, isNew: false };
      return { extra: await write(tx, before), isNew: true };
    });
    if (isNew) await publishExtra(chats, row, actor, extra, act && { by: userId, ...act });
    return extra;
  }

  return async ({ actor, now }, id, wanted) => {
    refuseIfLimited(rateLimiter.take("acts", actor.userId, 1, now));
    const { PRIVATE, GROUP } = await findSeen(store, actor.userId, id);
    if (PRIVATE !== undefined) return change(privateChats, PRIVATE, actor, wanted);
    if (GROUP !== undefined) return change(groupChats, GROUP, actor, wanted);
    throw new ApiError("message.notFound");
  };
}

/** A message that this person sees, under the kind of its chat. */
export async function findSeen(
  store: Pick<MessagesReads, "findVisibleMessage">,
  userId: number,
  id: number,
): Promise<{ [Kind in ChatKind]?: RowOf<Kind> | undefined }> {
  const row = await store.findVisibleMessage("PRIVATE", userId, id);
  return row === undefined
    ? { GROUP: await store.findVisibleMessage("GROUP", userId, id) }
    : { PRIVATE: row };
}
