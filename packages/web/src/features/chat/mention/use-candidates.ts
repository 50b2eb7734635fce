import { useCallback, useEffect, useMemo } from "react";
import { EVERYONE } from "@parley/core/model/mentions";
import { groupVerdict } from "@parley/core/model/selectors";
import type { GroupMembers } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { EVERYONE_NAMES } from "../bubbles/mention-parts.ts";
import type { Candidate } from "./candidates.ts";

/** Whom I may name in a group: everyone first where I may, then its members but myself. They are fetched when first asked for. */
export function useCandidates(groupId: number) {
  const t = useText();
  const client = useClient();
  const members = useClientState((state) => state.groups.members[groupId]);
  const friends = useClientState((state) => state.contacts.friends);
  const myId = useClientState((state) => (state.session.kind === "anonymous" ? 0 : state.session.userId));
  const mayNameAll = useClientState((state) => groupVerdict(state, groupId, "mentionAll") === "ok");
  const load = useCallback(() => void client.groups.loadMembers(groupId), [client, groupId]);
  const isKnown = members !== undefined;
  useEffect(() => {
    if (!isKnown) load();
  }, [isKnown, load]);
  const all = useMemo((): readonly Candidate[] => {
    const everyone = { userId: EVERYONE, name: t("naming.everyone"), remark: null, also: EVERYONE_NAMES };
    const people = (members?.order ?? []).flatMap((userId): Candidate[] => {
      const name = members?.byId[userId]?.showNickName;
      if (!name || userId === myId) return [];
      const remark = friends[userId]?.remarkNickName || null;
      return [{ userId, name, remark: remark === name ? null : remark }];
    });
    return mayNameAll ? [everyone, ...people] : people;
  }, [members, friends, myId, mayNameAll, t]);
  const state: GroupMembers["state"] = members?.state ?? "loading";
  return { all, state, load } as const;
}
