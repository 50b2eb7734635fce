import type { Tip } from "@parley/protocol/message";
import { splitNames } from "@parley/protocol/tip-names";
import { hasText } from "./i18n.ts";
import type { Text } from "./i18n.ts";

/** So many names are told in full; of more of them these, and how many others there are (docs/spec/formats.md). */
const NAMES_MAX = 5;
const NAMES_OF_MANY = 3;

/** A tip in the reader's language; one that only a newer server knows keeps the server's words. What oneself did may have words of its own. */
export function tipText(tip: Tip, content: string, isMine: boolean, t: Text): string {
  const { names } = tip.params;
  const params = typeof names === "string" ? { ...tip.params, names: namesText(names, t) } : tip.params;
  const mine = `tip.${tip.key}.mine`;
  if (isMine && hasText(mine)) return t(mine, params);
  const id = `tip.${tip.key}`;
  return hasText(id) ? t(id, params) : content;
}

function namesText(joined: string, t: Text): string {
  const all = splitNames(joined);
  const textOf = (names: readonly string[]) => names.join(t("app.listSeparator"));
  if (all.length <= NAMES_MAX) return textOf(all);
  const names = textOf(all.slice(0, NAMES_OF_MANY));
  return t("app.andOthers", { names, count: all.length - NAMES_OF_MANY });
}
