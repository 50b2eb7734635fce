import type { Translate } from "./i18n.ts";

/** Up to `NAMES_MAX` names are all listed; of more, `NAMES_OF_MANY` and the number of the others (docs/spec/formats.md). */
const NAMES_MAX = 5;
const NAMES_OF_MANY = 3;

/** Lists names in the way of the language. */
export function listNames(names: readonly string[], t: Translate): string {
  const last = names.at(-1) ?? "";
  return names.length < 2
    ? last
    : t("names.last", { names: names.slice(0, -1).join(t("names.between")), last });
}

/** Names within a sentence, quoted where the language does so, shortened if there are many. `withMe`: the reader is one of them too. */
export function namesInSentence(others: readonly string[], withMe: boolean, t: Translate): string {
  const mine = withMe ? 1 : 0;
  const isMany = others.length + mine > NAMES_MAX;
  const listed = others
    .slice(0, (isMany ? NAMES_OF_MANY : NAMES_MAX) - mine)
    .map((name) => t("names.quoted", { name }));
  const count = others.length - listed.length;
  const names = isMany
    ? t("names.andOthers", { names: listed.join(t("names.between")), count })
    : listNames(listed, t);
  if (!withMe) return names;
  return others.length === 0 ? t("names.you") : t("names.youAnd", { names, count: others.length });
}
