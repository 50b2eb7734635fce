import { groupPermission } from "@parley/core/model/selectors";
import type { DraftMention, State } from "@parley/core/model/state";

/**
 * The mentions of the trimmed text. Members who have left are dropped, and so is everyone if I may no longer mention everyone: they stay
 * in the text, and the server does not have to reject the message.
 */
export function mentionsToSend(
  state: Pick<State, "groups">,
  groupId: number,
  text: string,
  mentions: readonly DraftMention[],
): readonly DraftMention[] {
  const leadingBlanks = text.length - text.trimStart().length;
  const { length } = text.trim();
  const members = state.groups.members[groupId]?.byId;
  return mentions.flatMap(({ userId, from, to }) => {
    const isRefused =
      userId < 0 ? groupPermission(state, groupId, "mentionAll") !== "ok" : members?.[userId]?.quit === true;
    return isRefused || from < leadingBlanks || to - leadingBlanks > length
      ? []
      : [{ userId, from: from - leadingBlanks, to: to - leadingBlanks }];
  });
}
