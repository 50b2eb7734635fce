import { AVATAR_MAX_BYTES } from "@parley/protocol/limits";

const TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp"];

/** What `accept` of the file input and the message name (spec §5). */
export const AVATAR_TYPES = "jpeg, png, jpg, webp";
export const AVATAR_ACCEPT = TYPES.join(",");

/** Rules of an avatar (spec §5): what is wrong with a picked file, or null. */
export function checkAvatar(file: { type: string; size: number }): "type" | "tooLarge" | null {
  if (!TYPES.includes(file.type)) return "type";
  return file.size > AVATAR_MAX_BYTES ? "tooLarge" : null;
}
