import { Code, MessageType } from "@parley/protocol/codes";
import type { SystemConfig } from "@parley/protocol/entities";
import type { Failure } from "../state.ts";

const MEBIBYTE = 1_048_576;

/** Why the server would refuse a file of this size, in bytes, for a message of this type; null if it would not, or if its limits are not known. */
export function sizeFailure(type: number, size: number, config: SystemConfig | null): Failure | null {
  if (config === null) return null;
  const { imageMax, fileMax } = config.upload;
  const max = type === MessageType.IMAGE ? imageMax : fileMax;
  if (size <= max) return null;
  return {
    kind: "refused",
    code: Code.REFUSED,
    key: "upload.tooLarge",
    params: { max: max / MEBIBYTE },
    message: "",
  };
}
