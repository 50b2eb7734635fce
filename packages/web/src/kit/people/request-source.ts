import { RequestSource } from "@parley/protocol/codes";
import type { Text, TextId } from "../i18n/i18n.ts";

const SOURCE_TEXTS: Readonly<Record<number, TextId>> = {
  [RequestSource.SEARCH]: "request.fromSearch",
  [RequestSource.GROUP]: "request.fromGroup",
  [RequestSource.CARD]: "request.fromCard",
};

/** Where the sender of a friend request found me; null if unknown, or a value of a newer server. */
export function sourceText(source: number | null | undefined, t: Text): string | null {
  const id = SOURCE_TEXTS[source ?? 0];
  return id === undefined ? null : t(id);
}
