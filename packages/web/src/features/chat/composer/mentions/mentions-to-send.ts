import { groupPermission } from "@parley/core/model/selectors";
import type { DraftMention, State } from "@parley/core/model/state";

/**
 * Mentions of a text of which the blanks at both ends are cut away, without people who have left since, and without everyone for whom may
 * not name them any more: they stay words, and the server need not refuse the message for them.
 */
export function mentionsToSend(
  state: Pick<State, "groups">,
  groupId: number,
  text: string,
  mentions: readonly DraftMention[],
): readonly DraftMention[] {
  const cut = text.length - text.trimStart().length;
  const { length } = text.trim();
  const members = state.groups.members[groupId]?.byId;
  return mentions.flatMap(({ userId, from, to }) => {
    const isRefused =
      userId < 0 ? groupPermission(state, groupId, "mentionAll") !== "ok" : members?.[userId]?.quit === true;
    return isRefused || from < cut || to - cut > length ? [] : [{ userId, from: from - cut, to: to - cut }];
  });
}
