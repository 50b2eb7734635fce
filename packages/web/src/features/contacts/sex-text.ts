import type { Text } from "../../kit/i18n.ts";

/** Text for a sex (spec §3): 0 male, 1 female; null if unknown. */
export function sexText(sex: number | null | undefined, t: Text): string | null {
  if (sex === 0) return t("person.male");
  return sex === 1 ? t("person.female") : null;
}
