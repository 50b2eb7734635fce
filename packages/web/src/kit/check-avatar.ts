import { AVATAR_MAX_BYTES } from "@parley/protocol/limits";

const TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp"];

/** File types as the message names them; `AVATAR_ACCEPT` is for the file input (spec §5). */
export const AVATAR_TYPES = "jpeg, png, jpg, webp";
export const AVATAR_ACCEPT = TYPES.join(",");

/** Checks a picked file against the rules of an avatar (spec §5): what is wrong with it, or null. */
export function checkAvatar(file: { type: string; size: number }): "type" | "tooLarge" | null {
  if (!TYPES.includes(file.type)) return "type";
  return file.size > AVATAR_MAX_BYTES ? "tooLarge" : null;
}
