import * as z from "zod/mini";
import { catch as otherwise } from "zod/mini";
import { MessageType } from "./codes.ts";
import { friendGained, friendRequestVO, friendVO, groupRequestVO, groupVO } from "./entities.ts";
import { type Tip, loadingContent, receiptContent, removedMessages, tip } from "./message.ts";
import { extraAct, messageExtra } from "./message-extra.ts";
import { TYPING_KINDS } from "./signal.ts";
import { id, position } from "./text.ts";

/**
 * Pushes as a client reads them: of what `signal.ts` and `message.ts` describe only the fields that it needs have to be valid, because other
 * servers leave fields out and newer ones add some. JSON contents are parsed.
 */

/** The text of a JSON value that the schema describes. */
export const json = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.string(),
    z.transform((text, context): z.output<Schema> => {
      const { data, error } = schema.safeParse(parseJson(text));
      if (error === undefined) return data;
      context.issues.push({ code: "custom", message: "not the JSON of this content", input: text });
      return z.NEVER;
    }),
  );

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field that counts as absent if it is invalid. */
export const absentIfInvalid = <Schema extends z.ZodMiniType>(schema: Schema) =>
  otherwise(z.optional(schema), undefined);

/** A tip as a client reads it: other servers also send parameters without a value. */
export const receivedTip = z.extend(tip, {
  params: z.pipe(
    z.record(z.string(), z.nullable(tip.shape.params.def.valueType)),
    z.transform((params) => {
      const known: Tip["params"] = {};
      for (const [name, value] of Object.entries(params)) if (value !== null) known[name] = value;
      return known;
    }),
  ),
});

/** How far somebody has read. Older servers say it only in the content. Neither: everything is read. */
const readUpTo = {
  maxId: z.optional(z.nullable(position())),
  content: absentIfInvalid(json(z.object({ id: position() }))),
};

const [groupReceipt] = receiptContent.def.options;
const receiptCounts = {
  id: id(),
  readedCount: id(),
  receiptOk: otherwise(groupReceipt.shape.receiptOk, false),
};

const signals = [
  z.object({
    type: z.literal(MessageType.LOADING),
    content: absentIfInvalid(loadingContent),
    fromId: absentIfInvalid(id()),
    extras: absentIfInvalid(id()),
    failed: absentIfInvalid(z.literal(true)),
  }),
  z.object({
    type: z.literal([MessageType.FRIEND_NEW, MessageType.FRIEND_REQ_APPROVE]),
    /** Push 71 has fields of the request beside those of the friend. */
    content: json(z.extend(friendVO, { requestId: otherwise(friendGained.shape.requestId, null) })),
  }),
  z.object({ type: z.literal(MessageType.FRIEND_DELETED), sendId: id() }),
  z.object({
    type: z.literal([
      MessageType.FRIEND_REQ_APPLY,
      MessageType.FRIEND_REQ_REJECT,
      MessageType.FRIEND_REQ_RECALL,
    ]),
    content: json(friendRequestVO),
  }),
  z.object({
    type: z.literal([
      MessageType.GROUP_REQ_APPLY,
      MessageType.GROUP_REQ_APPROVE,
      MessageType.GROUP_REQ_REJECT,
    ]),
    content: json(groupRequestVO),
  }),
  z.object({
    type: z.literal(MessageType.GROUP_KICK_USER_MSG),
    groupId: id(),
    content: json(z.extend(removedMessages, { upTo: position() })),
  }),
  z.object({ type: z.literal(MessageType.GROUP_NEW), content: json(groupVO) }),
  z.object({ type: z.literal(MessageType.GROUP_LEFT), groupId: id() }),
  z.object({ type: z.literal(MessageType.CHANGES), content: absentIfInvalid(z.string()) }),
  z.object({
    type: z.literal([MessageType.USER_BANNED, MessageType.USER_UNREG]),
    content: absentIfInvalid(z.string()),
  }),
] as const;
/** A signal whose meaning does not depend on its kind of chat. */
export type ReceivedSignal = z.output<(typeof signals)[number]>;

const extra = {
  type: z.literal(MessageType.EXTRA),
  messageId: id(),
  /** The author of the message. */
  sendId: id(),
  extra: messageExtra,
  acts: otherwise(z.array(extraAct), []),
};

const typing = {
  type: z.literal(MessageType.TYPING),
  sendId: id(),
  what: otherwise(z.enum(TYPING_KINDS), "text"),
  on: z.boolean(),
};

const readPosition = z.object({ type: z.literal([MessageType.READED, MessageType.RECEIPT]), ...readUpTo });
/** A read position; its chat depends on its kind of chat. */
export type ReceivedReadPosition = z.output<typeof readPosition>;

/** What a client reads of signals in frames with cmd 3. */
export const receivedPrivateSignal = z.discriminatedUnion("type", [
  ...signals,
  z.extend(readPosition, { sendId: id(), recvId: absentIfInvalid(id()) }),
  z.object({ ...extra, recvId: id() }),
  z.object({ ...typing, recvId: id() }),
]);

/** What a client reads of signals in frames with cmd 4. Older servers send a receipt only in the content, others only on the frame. */
export const receivedGroupSignal = z.union([
  z.discriminatedUnion("type", [
    ...signals,
    z.object({ type: z.literal(MessageType.READED), groupId: id(), ...readUpTo }),
    z.object({ ...extra, groupId: id() }),
    z.object({ ...typing, groupId: id(), sendNickName: otherwise(z.string(), "") }),
    z.object({
      type: z.literal(MessageType.RECEIPT),
      groupId: id(),
      content: json(z.object(receiptCounts)),
    }),
  ]),
  z.object({ type: z.literal(MessageType.RECEIPT), groupId: id(), ...receiptCounts }),
]);

/** What a client reads of signals in frames with cmd 5. */
export const receivedSystemSignal = z.discriminatedUnion("type", [...signals, readPosition]);
