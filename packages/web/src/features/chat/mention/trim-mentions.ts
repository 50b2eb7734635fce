import type { DraftMention } from "@parley/core/model/state";

/** Mentions of a text of which the blanks at both ends are cut away. */
export function trimMentions(text: string, mentions: readonly DraftMention[]): readonly DraftMention[] {
  const cut = text.length - text.trimStart().length;
  const { length } = text.trim();
  return mentions.flatMap(({ userId, from, to }) =>
    from < cut || to - cut > length ? [] : [{ userId, from: from - cut, to: to - cut }],
  );
}
