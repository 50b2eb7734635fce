/** How events of the bus are written between nodes. Nodes of two versions may run side by side: what a node does not know, it leaves out. */
import * as z from "zod/mini";
import { CHAT_TYPES } from "@parley/protocol/codes";
import { LOGOUT_REASONS } from "@parley/protocol/envelope";
import type { BusEvent } from "../../ports/bus.ts";

const id = z.int();
const ids = z.readonly(z.array(id));
const texts = z.readonly(z.array(z.string()));
const textOrNull = z.nullable(z.string());
const client = z.object({ userId: id, clientId: textOrNull, sessionId: z.string() });
const audience = z.object({
  userIds: ids,
  except: z.exactOptional(client),
  only: z.exactOptional(client),
  sockets: z.exactOptional(texts),
  capability: z.optional(z.string()),
});
const query = z.discriminatedUnion("about", [
  z.object({
    about: z.literal("pull"),
    type: z.enum(CHAT_TYPES),
    minId: id,
    actor: z.object({ ...client.shape, terminal: id, deviceNo: textOrNull }),
    language: z.string(),
  }),
  z.object({
    about: z.literal("otherClient"),
    userId: id,
    except: z.readonly(z.array(z.omit(client, { userId: true }))),
  }),
]);
const message = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("push"), audience, frame: z.string() }),
  z.object({
    kind: z.literal("endSessions"),
    userId: id,
    sessionIds: texts,
    reason: z.enum(LOGOUT_REASONS),
    allBut: z.exactOptional(textOrNull),
  }),
  z.object({
    kind: z.literal("kick"),
    userId: id,
    terminal: id,
    deviceNo: textOrNull,
    sessionId: z.string(),
    exceptSocketId: z.string(),
    loginOrder: id,
  }),
  z.object({ kind: z.literal("stale"), userIds: ids }),
  z.object({ kind: z.literal("staleGroup"), groupId: id }),
  z.object({ kind: z.literal("webPushSubscribed"), userId: id }),
  z.object({
    kind: z.literal("alertsOver"),
    userIds: ids,
    chat: z.object({ type: z.enum(CHAT_TYPES), targetId: id }),
    by: z.enum(["read", "recalled", "callOver"]),
    position: id,
  }),
  z.object({ kind: z.literal("settingsChanged") }),
  z.object({ kind: z.literal("query"), id: z.string(), query }),
  z.object({ kind: z.literal("answer"), id: z.string(), answer: z.enum(["yes", "refused"]) }),
  z.object({ kind: z.literal("callClientDetached"), client }),
  z.object({ kind: z.literal("interrupted"), gapMs: z.number() }),
]);

/**
 * Encodes a message behind its length, so that several can follow each other. A frame follows the rest of its push as it is, because it is
 * long and JSON already.
 */
export function encodeBusMessage(event: BusEvent): string {
  const text = event.kind === "push" ? encodePush(event) : JSON.stringify(event);
  return `${text.length}:${text}`;
}

function encodePush({ frame, ...rest }: Extract<BusEvent, { kind: "push" }>): string {
  return `${JSON.stringify(rest)}\n${frame}`;
}

/** Decodes messages. `problem`: why some are left out, such as those that this version does not know. */
export function decodeBusMessages(text: string): { messages: BusEvent[]; problem?: string } {
  const messages: BusEvent[] = [];
  let problem: string | undefined;
  for (let at = 0; at < text.length;) {
    const colon = text.indexOf(":", at);
    const length = Number(text.slice(at, colon));
    const begin = colon + 1;
    if (colon < 0 || !Number.isInteger(length) || length < 1 || begin + length > text.length)
      return { messages, problem: "no lengths" };
    try {
      messages.push(decode(text.slice(begin, begin + length)));
    } catch (error) {
      problem = error instanceof SyntaxError ? "no JSON" : "unknown fields";
    }
    at = begin + length;
  }
  return { messages, ...(problem !== undefined && { problem }) };
}

function decode(text: string): BusEvent {
  // JSON without indentation contains no line break.
  const end = text.indexOf("\n");
  if (end < 0) return message.parse(JSON.parse(text));
  const rest: unknown = JSON.parse(text.slice(0, end));
  return message.parse(Object.assign({}, rest, { frame: text.slice(end + 1) }));
}
