import { EVERYONE } from "@parley/protocol/codes";
import { useCallback, useEffect, useMemo } from "react";
import { groupPermission } from "@parley/core/model/selectors";
import type { GroupMembers } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n.ts";
import { myIdOf } from "../../../../kit/person.ts";
import { useClient, useClientState } from "../../../../kit/use-client.ts";
import { EVERYONE_NAMES } from "../../message/bubbles/mention-parts.ts";
import type { MentionCandidate } from "./mention-candidates.ts";

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
