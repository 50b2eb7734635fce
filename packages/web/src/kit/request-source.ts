import { RequestSource } from "@parley/protocol/codes";
import type { Text, TextId } from "./i18n.ts";

const SOURCE_TEXTS: Readonly<Record<number, TextId>> = {
  [RequestSource.SEARCH]: "request.fromSearch",
  [RequestSource.GROUP]: "request.fromGroup",
  [RequestSource.CARD]: "request.fromCard",
};

/** Where who asks to be friends has found me; null: not told, or told by a newer server. */
export function sourceText(source: number | null | undefined, t: Text): string | null {
  const words = SOURCE_TEXTS[source ?? 0];
  return words === undefined ? null : t(words);
}
