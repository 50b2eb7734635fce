import * as z from "zod/mini";
import { catch as otherwise } from "zod/mini";
import { Cmd, MessageType } from "./codes.ts";
import { LOGOUT_REASONS } from "./envelope.ts";

/**
 * Frames of the server as a client reads them. They are apart from `frame.ts`, so that a client does not load the descriptions of all that a
 * server sends.
 */

/** The content of a push before its fields are read: a row or a signal of this server or another one, perhaps of a type that only a newer one knows. */
export type PushData = { readonly type: number; readonly [field: string]: unknown };

/** Replies and the end of the session as a client reads them: other servers leave fields out. */
const receivedControlFrame = z.discriminatedUnion("cmd", [
  z.object({
    cmd: z.literal(Cmd.LOGIN),
    data: otherwise(z.nullable(z.object({ epoch: z.string() })), null),
  }),
  z.object({ cmd: z.literal(Cmd.HEARTBEAT), data: otherwise(z.null(), null) }),
  z.object({
    cmd: z.literal(Cmd.FORCED_LOGOUT),
    data: otherwise(z.nullable(z.string()), null),
    reason: otherwise(z.optional(z.enum(LOGOUT_REASONS)), undefined),
  }),
]);

/** A frame as a client reads it. */
export type ReceivedFrame =
  | z.output<typeof receivedControlFrame>
  | { cmd: typeof Cmd.PRIVATE; data: PushData }
  | { cmd: typeof Cmd.GROUP; data: PushData }
  | { cmd: typeof Cmd.SYSTEM; data: PushData };

/** Parses a text frame from the server; null if it is not a frame. Unknown fields and message types are accepted. */
export function parseServerFrame(textFrame: string): ReceivedFrame | null {
  let value: unknown;
  try {
    value = JSON.parse(textFrame);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { cmd, data } = value as { cmd?: unknown; data?: unknown };
  switch (cmd) {
    case Cmd.PRIVATE:
    case Cmd.GROUP:
    case Cmd.SYSTEM:
      return isPushData(data) ? { cmd, data } : null;
    default:
      return receivedControlFrame.safeParse(value).data ?? null;
  }
}

function isPushData(data: unknown): data is PushData {
  return typeof data === "object" && data !== null && "type" in data && typeof data.type === "number";
}

/** Whether a push is a stored row; otherwise it is a signal. */
export function isStoredRow<T extends object>(data: T): data is Extract<T, { id: number }> {
  const { id, type } = data as { id?: unknown; type?: unknown };
  // The id of a group receipt is that of the message that was read. Type 82 never becomes a message, whatever other fields it has (spec §3).
  return typeof id === "number" && type !== MessageType.RECEIPT && type !== MessageType.CHANGES;
}
