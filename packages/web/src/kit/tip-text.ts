import type { Tip } from "@parley/protocol/message";
import { splitNames } from "@parley/protocol/tip-names";
import { hasText } from "./i18n.ts";
import type { Text } from "./i18n.ts";

/** A tip in the reader's language; one that only a newer server knows keeps the server's words. What oneself did may have words of its own. */
export function tipText(tip: Tip, content: string, isMine: boolean, t: Text): string {
  const { names } = tip.params;
  const params =
    typeof names === "string"
      ? { ...tip.params, names: splitNames(names).join(t("app.listSeparator")) }
      : tip.params;
  const mine = `tip.${tip.key}.mine`;
  if (isMine && hasText(mine)) return t(mine, params);
  const id = `tip.${tip.key}`;
  return hasText(id) ? t(id, params) : content;
}
