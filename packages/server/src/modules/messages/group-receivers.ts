/** Which members get a new group message, and with which text of the message that it quotes. */
import { MessageType } from "@parley/protocol/codes";
import type {
  GroupMessageReads,
  GroupMessageRow,
  GroupMessageStore,
} from "../../ports/group-message-store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import type { Receivers } from "./chat-strategy.ts";
import type { CachedGroup, GroupCache } from "./group-cache.ts";
import { withMaskedQuote, withQuotedText } from "./view-group-messages.ts";

export interface GroupReceiversDeps {
  store: Pick<GroupMessageReads, "listGroupLatecomers" | "listGroupFormerTexts"> &
    Pick<GroupMessageStore, "memberChanges">;
  groupCache: GroupCache;
}

/**
 * Finds those who were members when the row was stored and still are. All get the same version of the row, with two exceptions: members who
 * came after the quoted message, and members who have missed an edit of it. Synchronous if the group is cached and the row quotes nothing.
 */
export type FindGroupReceivers = (
  stored: Appended<GroupMessageRow>,
) => Receivers<GroupMessageRow> | Promise<Receivers<GroupMessageRow>>;

export function createFindGroupReceivers({ store, groupCache }: GroupReceiversDeps): FindGroupReceivers {
  /** Those who get a row that quotes `quoteId`. Members may change during the lookups, which are then repeated. */
  async function findQuoteAudience(
    row: GroupMessageRow,
    quoteId: number,
    memberChanges: number | undefined,
  ): Promise<QuoteAudience> {
    for (let knownChanges = memberChanges ?? 0; ;) {
      const cached = await groupCache.find(row.groupId, knownChanges);
      const latecomers = await store.listGroupLatecomers(row.groupId, quoteId);
      const latecomerIds = latecomers.filter((userId) => wasPresentAt(cached, userId, row.id));
      // An edit event brings everybody the new text.
      const formerTexts =
        row.type === MessageType.EDIT ? [] : await store.listGroupFormerTexts(row.groupId, quoteId);
      const present = formerTexts.filter(({ userId }) => wasPresentAt(cached, userId, row.id));
      const formerTextOf = new Map(present.map(({ userId, content }) => [userId, content]));
      const currentChanges = await store.memberChanges(row.groupId);
      if (currentChanges <= knownChanges)
        return { presentIds: presentAt(cached, row.id), latecomerIds, formerTextOf };
      knownChanges = currentChanges;
    }
  }

  async function findQuoteReceivers(
    { row, memberChanges, except = [] }: Appended<GroupMessageRow>,
    quoteId: number,
  ): Promise<Receivers<GroupMessageRow>> {
    const { presentIds, latecomerIds, formerTextOf } = await findQuoteAudience(row, quoteId, memberChanges);
    const others = [...except, ...latecomerIds, ...formerTextOf.keys()];
    const versions = [{ row, userIds: excluding(presentIds, others) }];
    // Latecomers do not have the edited message, so they do not need the edit.
    if (latecomerIds.length > 0 && row.type !== MessageType.EDIT)
      versions.push({ row: withMaskedQuote(row), userIds: excluding(latecomerIds, except) });
    for (const [content, userIds] of Map.groupBy(
      formerTextOf.keys(),
      (userId) => formerTextOf.get(userId) ?? null,
    )) {
      versions.push({ row: withQuotedText(row, content), userIds: excluding(userIds, except) });
    }
    const ownFormerText = formerTextOf.get(row.sendId);
    return { versions, own: ownFormerText === undefined ? row : withQuotedText(row, ownFormerText) };
  }

  return (stored) => {
    const { row, memberChanges } = stored;
    if (row.quote !== null) return findQuoteReceivers(stored, row.quote.id);
    const receiversIn = (group: CachedGroup | undefined): Receivers<GroupMessageRow> => ({
      versions: [{ row, userIds: presentAt(group, row.id) }],
      own: row,
    });
    // Members may have changed before the row was stored, with the invalidation still on its way.
    const cached = groupCache.find(row.groupId, memberChanges);
    return cached instanceof Promise ? cached.then(receiversIn) : receiversIn(cached);
  };
}

interface QuoteAudience {
  /** The members who were there when the row was stored. */
  presentIds: readonly number[];
  /** Those of them who came after the message that the row quotes. */
  latecomerIds: readonly number[];
  /** Those who know the quoted message with another text, and that text; null if the text is not known. */
  formerTextOf: ReadonlyMap<number, string | null>;
}

/** The current members without those who joined while the row was stored. */
function presentAt(cached: CachedGroup | undefined, id: number): readonly number[] {
  if (cached === undefined) return [];
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
