/** Who hears of a new message of a group. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import { type Delivery, frameOfJson } from "../../delivery.ts";
import { type Actor, Encoded } from "../../ports/call.ts";
import type { GroupMessageRow } from "../../ports/group-store.ts";
import type { Language } from "../../ports/language.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import { groupMessage } from "../../presenters/group-presenter.ts";
import { viewGroupMessages, withMaskedQuote, withQuotedText } from "./view-group-messages.ts";
import type { CachedGroup, GroupCache } from "./group-cache.ts";

export interface PublishGroupMessage {
  /**
   * One text serves the answer and every push: a new row reads the same for everybody but those who came later than what it quotes, or
   * have missed an edit of it, or where that was taken back. `language`: of the answer. Heard by those who were in when it was stored and still are.
   */
  publish(
    actor: Actor,
    stored: Appended<GroupMessageRow>,
    language: Language,
  ): Promise<Encoded<GroupMessage>>;
  /** For its sender. */
  viewCurrent(row: GroupMessageRow, language: Language): Promise<Encoded<GroupMessage>>;
}

export interface PublishGroupMessageDeps {
  store: Store;
  delivery: Pick<Delivery, "toOthersOf">;
  groupCache: GroupCache;
  /** Pushes are written in it. */
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
      // An edit is nothing to somebody who does not have the message.
      if (latecomerIds.length > 0 && row.type !== MessageType.EDIT) {
        const masked = JSON.stringify(groupMessage(withMaskedQuote(row), defaultLanguage));
        delivery.toOthersOf(actor, excluding(latecomerIds, except), frameOfJson(Cmd.GROUP, masked));
      }
      for (const [content, userIds] of Map.groupBy(
        formerTextOf.keys(),
        (userId) => formerTextOf.get(userId) ?? null,
      )) {
        const own = JSON.stringify(groupMessage(withQuotedText(row, content), defaultLanguage));
        delivery.toOthersOf(actor, excluding(userIds, except), frameOfJson(Cmd.GROUP, own));
      }
      const ownFormerText = formerTextOf.get(row.sendId);
      if (ownFormerText !== undefined)
        return new Encoded(JSON.stringify(groupMessage(withQuotedText(row, ownFormerText), language)));
      return new Encoded(row.quote?.isRecalled ? JSON.stringify(groupMessage(row, language)) : json);
    },
    async viewCurrent(row, language) {
      // Read again: as its sender was there for what it quotes.
      const [message] = await viewGroupMessages(
        store,
        row.sendId,
        await store.listGroupMessages(row.sendId, [row.id]),
        language,
      );
      return new Encoded(JSON.stringify(message));
    },
  };

  /** Who is in may have changed before the row was stored and not be told yet; and, where it quotes, while it is asked who sees the quote. */
  async function findAudience(row: GroupMessageRow, memberChanges = 0): Promise<GroupAudience> {
    for (let known = memberChanges; ;) {
      const found = groupCache.find(row.groupId, known);
      const cached = found instanceof Promise ? await found : found;
      if (row.quote === null) return { group: cached, latecomerIds: [], formerTextOf: new Map() };
      const latecomers = await store.listGroupLatecomers(row.groupId, row.quote.id);
      const latecomerIds = latecomers.filter((userId) => wasPresentAt(cached, userId, row.id));
      const formerTextOf = await loadFormerTexts(cached, row);
      const now = await store.memberChanges(row.groupId);
      if (now <= known) return { group: cached, latecomerIds, formerTextOf };
      known = now;
    }
  }

  /** By person; an edit is news to everybody who is there. */
  async function loadFormerTexts(
    cached: CachedGroup | undefined,
    { id, groupId, type, quote }: GroupMessageRow,
  ): Promise<Map<number, string | null>> {
    if (quote === null || type === MessageType.EDIT) return new Map();
    const found = await store.listGroupFormerTexts(groupId, quote.id);
    const present = found.filter(({ userId }) => wasPresentAt(cached, userId, id));
    return new Map(present.map(({ userId, content }) => [userId, content]));
  }
}

interface GroupAudience {
  group: CachedGroup | undefined;
  /** Who came after what the row quotes. */
  latecomerIds: readonly number[];
  /** Who knows another text of what it quotes, and which. */
  formerTextOf: ReadonlyMap<number, string | null>;
}

/** Who is in, but for those who came while the row was stored: it was written before them. */
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
  const left = new Set(except);
  return ids.filter((id) => !left.has(id));
}
