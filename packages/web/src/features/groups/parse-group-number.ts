/** Parses a typed group number; null if it is not valid. Spaces and full-width digits are accepted. */
export function parseGroupNumber(text: string): number | null {
  const digits = text.normalize("NFKC").replaceAll(/\s/gu, "");
  const number = /^\d{1,16}$/.test(digits) ? Number(digits) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
