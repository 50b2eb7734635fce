/** Which members get a new group message, and with which text of the message that it quotes. */
import { MessageType } from "@parley/protocol/codes";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import type { Receivers } from "./chat-strategy.ts";
import type { CachedGroup, GroupCache } from "./group-cache.ts";
import { withMaskedQuote, withQuotedText } from "./view-group-messages.ts";

export interface GroupReceiversDeps {
  store: Pick<Store, "listGroupLatecomers" | "listGroupFormerTexts" | "memberChanges">;
  groupCache: GroupCache;
}

/**
 * Finds those who were members when the row was stored and still are. All get the same version of the row, with two exceptions: members who
 * came after the quoted message, and members who have missed an edit of it.
 */
export type FindGroupReceivers = (stored: Appended<GroupMessageRow>) => Promise<Receivers<GroupMessageRow>>;

export function createFindGroupReceivers({ store, groupCache }: GroupReceiversDeps): FindGroupReceivers {
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

  return async ({ row, memberChanges, except = [] }) => {
    const { group, latecomerIds, formerTextOf } = await findAudience(row, memberChanges);
    const ids = group === undefined ? [] : presentAt(group, row.id);
    const others = [...except, ...latecomerIds, ...formerTextOf.keys()];
    const versions = [{ row, userIds: excluding(ids, others) }];
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
  };
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
