/** Pushes new group messages to the members. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import { type Delivery, frameOfJson } from "../../delivery.ts";
import { type Actor, Encoded } from "../../calls/call.ts";
import type { Language } from "../../calls/language.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import { groupMessage } from "../../presenters/group-presenter.ts";
import { viewGroupMessages, withMaskedQuote, withQuotedText } from "./view-group-messages.ts";
import type { CachedGroup, GroupCache } from "./group-cache.ts";

/** Pushes new group messages and encodes the answers to their senders. */
export interface PublishGroupMessage {
  /**
   * Pushes the row to those who were members when it was stored and still are. One JSON text serves the answer and every push, with
   * three exceptions: members who came after the quoted message, members who have missed an edit of it, and an answer that quotes a
   * recalled message, because it is in the sender's `language`.
   */
  publish(
    actor: Actor,
    stored: Appended<GroupMessageRow>,
    language: Language,
  ): Promise<Encoded<GroupMessage>>;
  /** The row in its current state, as its sender sees it. */
  viewCurrent(row: GroupMessageRow, language: Language): Promise<Encoded<GroupMessage>>;
}

export interface PublishGroupMessageDeps {
  store: Store;
  delivery: Pick<Delivery, "toOthersOf">;
  groupCache: GroupCache;
  /** The language of pushes. */
  defaultLanguage: Language;
}

export function createPublishGroupMessage({
  store,
  delivery,
  groupCache,
  defaultLanguage,
}: PublishGroupMessageDeps): PublishGroupMessage {
  return {
    async publish(actor, { row, memberChanges, except = [] }, language) {
      const json = JSON.stringify(groupMessage(row, defaultLanguage));
      const { group, latecomerIds, formerTextOf } = await findAudience(row, memberChanges);
      const ids = group === undefined ? [] : presentAt(group, row.id);
      const others = [...except, ...latecomerIds, ...formerTextOf.keys()];
      delivery.toOthersOf(actor, excluding(ids, others), frameOfJson(Cmd.GROUP, json));
      // Latecomers do not have the edited message, so they do not need the edit.
      if (latecomerIds.length > 0 && row.type !== MessageType.EDIT) {
        const masked = JSON.stringify(groupMessage(withMaskedQuote(row), defaultLanguage));
        delivery.toOthersOf(actor, excluding(latecomerIds, except), frameOfJson(Cmd.GROUP, masked));
      }
      for (const [content, userIds] of Map.groupBy(
        formerTextOf.keys(),
        (userId) => formerTextOf.get(userId) ?? null,
      )) {
        const withFormerText = JSON.stringify(groupMessage(withQuotedText(row, content), defaultLanguage));
        delivery.toOthersOf(actor, excluding(userIds, except), frameOfJson(Cmd.GROUP, withFormerText));
      }
      const ownFormerText = formerTextOf.get(row.sendId);
      if (ownFormerText !== undefined)
        return new Encoded(JSON.stringify(groupMessage(withQuotedText(row, ownFormerText), language)));
      return new Encoded(row.quote?.isRecalled ? JSON.stringify(groupMessage(row, language)) : json);
    },
    async viewCurrent(row, language) {
      // Read the row again: what the sender sees of the quote depends on their stays.
      const [message] = await viewGroupMessages(
        store,
        row.sendId,
        await store.listGroupMessages(row.sendId, [row.id]),
        language,
      );
      return new Encoded(JSON.stringify(message));
    },
  };

  /**
   * Members may have changed before the row was stored, with the invalidation still on its way. For a quote they may also change during the
   * lookups, which are then repeated.
   */
  async function findAudience(row: GroupMessageRow, memberChanges = 0): Promise<GroupAudience> {
    for (let knownChanges = memberChanges; ;) {
      const lookup = groupCache.find(row.groupId, knownChanges);
      const cached = lookup instanceof Promise ? await lookup : lookup;
      if (row.quote === null) return { group: cached, latecomerIds: [], formerTextOf: new Map() };
      const latecomers = await store.listGroupLatecomers(row.groupId, row.quote.id);
      const latecomerIds = latecomers.filter((userId) => wasPresentAt(cached, userId, row.id));
      const formerTextOf = await loadFormerTexts(cached, row);
      const currentChanges = await store.memberChanges(row.groupId);
      if (currentChanges <= knownChanges) return { group: cached, latecomerIds, formerTextOf };
      knownChanges = currentChanges;
    }
  }

  /** The former texts of the quoted message, by member. None for an edit event, which brings everybody the new text. */
  async function loadFormerTexts(
    cached: CachedGroup | undefined,
    { id, groupId, type, quote }: GroupMessageRow,
  ): Promise<Map<number, string | null>> {
    if (quote === null || type === MessageType.EDIT) return new Map();
    const rows = await store.listGroupFormerTexts(groupId, quote.id);
    const present = rows.filter(({ userId }) => wasPresentAt(cached, userId, id));
    return new Map(present.map(({ userId, content }) => [userId, content]));
  }
}

interface GroupAudience {
  group: CachedGroup | undefined;
  /** The members who came after the message that the row quotes. */
  latecomerIds: readonly number[];
  /** The members who know the quoted message with another text, and that text; null if the text is not known. */
  formerTextOf: ReadonlyMap<number, string | null>;
}

/** The current members without those who joined while the row was stored. */
function presentAt(cached: CachedGroup, id: number): readonly number[] {
  if (cached.newestStayFrom < id) return cached.memberIds;
  return cached.memberIds.filter((userId) => wasPresentAt(cached, userId, id));
}

function wasPresentAt(cached: CachedGroup | undefined, userId: number, id: number): boolean {
  const member = cached?.members.get(userId);
  return member !== undefined && !member.quit && member.stayFrom < id;
}

function excluding(ids: readonly number[], except: readonly number[]): readonly number[] {
  if (except.length === 0) return ids;
  const excluded = new Set(except);
  return ids.filter((id) => !excluded.has(id));
}
