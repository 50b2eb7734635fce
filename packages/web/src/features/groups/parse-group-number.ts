/** The number of a group as somebody typed it; null: no valid one. Spaces and full-width digits will do. */
export function parseGroupNumber(text: string): number | null {
  const digits = text.normalize("NFKC").replaceAll(/\s/gu, "");
  const number = /^\d{1,16}$/.test(digits) ? Number(digits) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
