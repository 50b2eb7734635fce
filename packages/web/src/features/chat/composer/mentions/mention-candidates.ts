import { useCallback, useEffect, useMemo } from "react";
import { groupPermission } from "@parley/core/model/selectors";
import type { GroupMembers } from "@parley/core/model/state";
import { EVERYONE } from "@parley/protocol/codes";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { myIdOf } from "../../../../kit/people/person.ts";
import type { NameMatch } from "../../../../kit/search/pinyin.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { EVERYONE_NAMES } from "../../message/bubbles/mention-text.tsx";

/** The people whom I may mention in a group: everyone, if I may, then the other members. The members are loaded on first use. */
export function useMentionCandidates(groupId: number) {
  const t = useText();
  const client = useClient();
  const members = useClientState((state) => state.groups.members[groupId]);
  const friends = useClientState((state) => state.contacts.friends);
  const myId = useClientState(myIdOf);
  const canMentionEveryone = useClientState(
    (state) => groupPermission(state, groupId, "mentionAll") === "ok",
  );
  const load = useCallback(() => void client.groups.loadMembers(groupId), [client, groupId]);
  const isKnown = members !== undefined;
  useEffect(() => {
    if (!isKnown) load();
  }, [isKnown, load]);
  const all = useMemo((): readonly MentionCandidate[] => {
    const everyone = { userId: EVERYONE, name: t("naming.everyone"), remark: null, aliases: EVERYONE_NAMES };
    const people = (members?.order ?? []).flatMap((userId): MentionCandidate[] => {
      const name = members?.byId[userId]?.showNickName;
      if (!name || userId === myId) return [];
      const remark = friends[userId]?.remarkNickName || null;
      return [{ userId, name, remark: remark === name ? null : remark }];
    });
    return canMentionEveryone ? [everyone, ...people] : people;
  }, [members, friends, myId, canMentionEveryone, t]);
  const state: GroupMembers["state"] = members?.state ?? "loading";
  return { all, state, load } as const;
}

/** A member, or everyone, who can be mentioned. */
export interface MentionCandidate {
  /** -1 is everyone. */
  readonly userId: number;
  /** The name after the `@` in the text: the one that all members see. */
  readonly name: string;
  /** My own name for the person, if it is different. */
  readonly remark: string | null;
  /** Further names that find the candidate. */
  readonly aliases?: readonly string[];
}

/**
 * The candidates that match the query by one of their names, by pinyin or by initials. Better matches come first (`nameRank`), equal ones
 * keep their order. An empty query returns all.
 */
export function matchCandidates(
  all: readonly MentionCandidate[],
  query: string,
  rank: NameMatch["rank"],
): readonly MentionCandidate[] {
  if (query === "") return all;
  const matches = all.flatMap((candidate) => {
    const ranks = [candidate.remark, candidate.name, ...(candidate.aliases ?? [])].flatMap((name) => {
      const nameRank = name === null ? null : rank(name, query);
      return nameRank === null ? [] : [nameRank];
    });
    return ranks.length === 0 ? [] : [{ candidate, rank: Math.min(...ranks) }];
  });
  return matches.sort((a, b) => a.rank - b.rank).map(({ candidate }) => candidate);
}
