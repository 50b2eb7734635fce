import type { Text } from "./i18n.ts";

/** So many names are told in full; of more of them these, and how many others there are (docs/spec/formats.md). */
const NAMES_MAX = 5;
const NAMES_OF_MANY = 3;

/** Names as a language lists them. */
export function listNames(names: readonly string[], t: Text): string {
  const last = names.at(-1) ?? "";
  return names.length < 2
    ? last
    : t("names.last", { names: names.slice(0, -1).join(t("names.between")), last });
}

/** Names within a sentence, in quotes where the language has them so; few of many. `withMe`: I am one of them, beside these. */
export function namesInSentence(others: readonly string[], withMe: boolean, t: Text): string {
  const mine = withMe ? 1 : 0;
  const isMany = others.length + mine > NAMES_MAX;
  const told = others
    .slice(0, (isMany ? NAMES_OF_MANY : NAMES_MAX) - mine)
    .map((name) => t("names.quoted", { name }));
  const count = others.length - told.length;
  const names = isMany
    ? t("names.andOthers", { names: told.join(t("names.between")), count })
    : listNames(told, t);
  if (!withMe) return names;
  return others.length === 0 ? t("names.you") : t("names.youAnd", { names, count: others.length });
}
