import * as z from "zod/mini";
import { PASSWORD_MAX, PASSWORD_MIN } from "./limits.ts";
import { anyText, countCodePoints } from "./text.ts";

/** Letters, digits and signs of full and of half width. */
const OTHER_WIDTHS = /[\uff01-\uffee]+/gu;

/**
 * The form in which a password is compared: systems and input methods write the same keys differently. It is that of RFC 8265 (OpaqueString:
 * NFC, and every blank is a space), but letters of full and of half width are one, which the RFC keeps apart: whether an input method is in
 * full width cannot be seen in a field that hides what is typed. Nothing else is folded: neither case nor ligatures nor blanks at the ends.
 */
export function normalizePassword(password: string): string {
  return password
    .replace(/\p{Zs}/gu, " ")
    .replace(OTHER_WIDTHS, (letters) => letters.normalize("NFKC"))
    .normalize("NFC");
}

/** How long a password is, whatever way it is written. */
export function passwordLength(password: string): number {
  return countCodePoints(normalizePassword(password));
}

/** A password that is to be set. */
export const newPassword = () =>
  anyText().check(
    z.refine((password) => passwordLength(password) <= PASSWORD_MAX, {
      error: `longer than ${PASSWORD_MAX} characters`,
    }),
    z.refine((password) => passwordLength(password) >= PASSWORD_MIN, {
      error: `shorter than ${PASSWORD_MIN} characters`,
    }),
  );
