import { kindOf } from "@parley/protocol/message";

/** Whether a person wrote a message of this type. Tips and records of calls have a sender too, but the server wrote them. */
export function isWritten({ type }: { type: number }): boolean {
  const kind = kindOf(type);
  return kind !== undefined && kind.shown && kind.sendable !== false;
}
