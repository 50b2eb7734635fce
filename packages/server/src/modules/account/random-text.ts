import { randomBytes } from "node:crypto";

/** Without letters and digits that look alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** A random text that people can read and type. Every character is equally likely: bytes above the last multiple of the alphabet's length are dropped. */
export function randomText(length: number): string {
  let text = "";
  const limit = 256 - (256 % ALPHABET.length);
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
