import type { Text } from "../../kit/i18n.ts";

/** Spec §3: 0 male, 1 female; null for not told. */
export function sexText(sex: number | null | undefined, t: Text): string | null {
  if (sex === 0) return t("person.male");
  return sex === 1 ? t("person.female") : null;
}
