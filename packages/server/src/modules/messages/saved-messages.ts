/** Messages that a person saves for themselves: references, so that what is recalled or removed is gone from them too. */
import { SAVED_MAX, SAVED_PAGE } from "@parley/protocol/limits";
import { isWritten } from "@parley/protocol/message";
import type { SavedMessage } from "@parley/protocol/saved-message";
import type { Actor, Handlers } from "../../api/api-call.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import { changesFrame, type Delivery } from "../../delivery/delivery.ts";
import type { RowOf } from "../../ports/message-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { SavedEntry } from "../../ports/saved-message-store.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import { findSeen } from "./change-extra.ts";
import type { ChatStrategies, MessageOf } from "./chat-strategy.ts";
import type { MessagesStore } from "./messages-store.ts";

export interface SavedMessagesDeps extends ChatStrategies {
  store: MessagesStore;
  delivery: Pick<Delivery, "toOwnOthers">;
  rateLimiter: Pick<RateLimiter, "take">;
}

type Rows = { [Kind in ChatKind]: readonly RowOf<Kind>[] };

export function createSavedMessages({
  store,
  delivery,
  rateLimiter,
  privateChats,
  groupChats,
}: SavedMessagesDeps): Pick<Handlers, "setSaved" | "removeSaved" | "listSaved"> {
  const tellOwnDevices = (actor: Actor) =>
    delivery.toOwnOthers(actor, changesFrame(actor.userId, ""), "changes");

  /** The entries with their messages. One that the person sees no longer is left out. */
  async function view(
    userId: number,
    entries: readonly SavedEntry[],
    rows: Rows,
    language: Language,
  ): Promise<SavedMessage[]> {
    const messages: MessageOf<ChatKind>[] = [
      ...(await privateChats.view(userId, rows.PRIVATE, language)),
      ...(await groupChats.view(userId, rows.GROUP, language)),
    ];
    const byId = new Map(messages.map((message) => [message.id, message]));
    return entries.flatMap((entry) => {
      const message = byId.get(entry.id);
      return message === undefined ? [] : [{ ...entry, message }];
    });
  }

  return {
    async setSaved({ actor, body: { id, ...words }, language, now }) {
      const { userId } = actor;
      refuseIfLimited(rateLimiter.take("acts", userId, 1, now));
      const { entry, rows, isNew } = await store.write(async (tx) => {
        const { PRIVATE, GROUP } = await findSeen(tx, userId, id);
        const row = PRIVATE ?? GROUP;
        if (row === undefined) throw new ApiError("message.notFound");
        if (!isWritten(row) || row.noticeId !== null) throw new ApiError("saved.notPossible");
        const seen: Rows = {
          PRIVATE: PRIVATE === undefined ? [] : [PRIVATE],
          GROUP: GROUP === undefined ? [] : [GROUP],
        };
        const { v, saved: before } = await tx.findSaved(userId, id);
        if (before !== null && isSame(before, words))
          return { entry: { id, v, saved: before }, rows: seen, isNew: false };
        if (before === null && (await tx.countSaved(userId)) >= SAVED_MAX)
          throw new ApiError("saved.tooMany", { max: SAVED_MAX });
        await tx.setSaved(userId, id, words, now);
        const { saved, ...version } = await tx.findSaved(userId, id);
        if (saved === null) throw new Error(`the message ${id} was not saved`);
        return { entry: { ...version, saved }, rows: seen, isNew: true };
      });
      if (isNew) tellOwnDevices(actor);
      const [answer] = await view(userId, [entry], rows, language);
      if (answer === undefined) throw new Error(`the message ${id} cannot be shown`);
      return answer;
    },

    async removeSaved({ actor, params: { id }, now }) {
      const { userId } = actor;
      refuseIfLimited(rateLimiter.take("acts", userId, 1, now));
      const { change, wasSaved } = await store.write(async (tx) => {
        const wasSaved = await tx.removeSaved(userId, id);
        return { change: await tx.findSaved(userId, id), wasSaved };
      });
      if (wasSaved) tellOwnDevices(actor);
      return change;
    },

    async listSaved({ actor: { userId }, query, language }) {
      const { before = Number.MAX_SAFE_INTEGER } = query;
      const { entries, rows } = await store.listSaved(userId, before, SAVED_PAGE);
      const last = entries.length < SAVED_PAGE ? undefined : entries.at(-1);
      return { entries: await view(userId, entries, rows, language), next: last?.v ?? null };
    },
  };
}

function isSame(
  before: SavedEntry["saved"],
  { note, tags }: Pick<SavedEntry["saved"], "note" | "tags">,
): boolean {
  return before.note === note && JSON.stringify(before.tags) === JSON.stringify(tags);
}
