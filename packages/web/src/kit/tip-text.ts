import type { Tip } from "@parley/protocol/message";
import { hasText } from "./i18n.ts";
import type { Text } from "./i18n.ts";

/** A tip in the reader's language; one that only a newer server knows keeps the server's words. */
export function tipText(tip: Tip, content: string, t: Text): string {
  const id = `tip.${tip.key}`;
  return hasText(id) ? t(id, tip.params) : content;
}
