import * as z from "zod/mini";
import { MessageType } from "./codes.ts";
import { CHANGED_PEOPLE, loadingContent } from "./message.ts";
import { extraAct, messageExtra } from "./message-extra.ts";
import { id } from "./text.ts";

/** Signals are pushes without a stored row. What a JSON content holds is the `schema` of the type in `KINDS`. */

const toPerson = { sendId: id(), recvId: id() };
const inGroup = { sendId: id(), groupId: id() };
const json = { content: z.string() };
const empty = { content: z.literal("") };

/** A pull begins ("true") or ends ("false"). */
const loading = z.object({
  type: z.literal(MessageType.LOADING),
  ...toPerson,
  content: loadingContent,
  /** With "true": rows below this id are left out. */
  fromId: z.optional(id()),
  /** With "true", if everything is pulled: the rows have all extras up to this version. */
  extras: z.optional(id()),
  /** With "false": the pull broke off and rows may be missing, so a client asks again. */
  failed: z.optional(z.literal(true)),
});

/** A signal with a JSON content about two people: a request of `sendId` to `recvId`, or a friend. */
const aboutPeople = <Type extends number>(type: Type) =>
  z.object({ type: z.literal(type), ...toPerson, ...json });
const aboutGroup = <Type extends number>(type: Type) =>
  z.object({ type: z.literal(type), ...inGroup, ...json });

/**
 * A signal of a private call. `selfSend`: the reader has sent it, on another client. The content of an offer, answer or candidate is its
 * JSON, that of a device the state of the devices, and that of a failure the reason.
 */
export const privateCallSignal = z.object({
  type: z.literal([
    MessageType.RTC_SETUP_VOICE,
    MessageType.RTC_SETUP_VIDEO,
    MessageType.RTC_ACCEPT,
    MessageType.RTC_REJECT,
    MessageType.RTC_CANCEL,
    MessageType.RTC_FAILED,
    MessageType.RTC_HANDUP,
    MessageType.RTC_OFFER,
    MessageType.RTC_ANSWER,
    MessageType.RTC_CANDIDATE,
    MessageType.RTC_DEVICE,
  ]),
  ...toPerson,
  selfSend: z.boolean(),
  content: z.nullable(z.string()),
});
export type PrivateCallSignal = z.output<typeof privateCallSignal>;

/** A signal of the call of a group. The content is JSON where it says something, else empty (`docs/protocol.md`, section 10). */
export const groupCallSignal = z.object({
  type: z.literal([
    MessageType.RTC_GROUP_SETUP,
    MessageType.RTC_GROUP_ACCEPT,
    MessageType.RTC_GROUP_REJECT,
    MessageType.RTC_GROUP_FAILED,
    MessageType.RTC_GROUP_CANCEL,
    MessageType.RTC_GROUP_QUIT,
    MessageType.RTC_GROUP_INVITE,
    MessageType.RTC_GROUP_JOIN,
    MessageType.RTC_GROUP_OFFER,
    MessageType.RTC_GROUP_ANSWER,
    MessageType.RTC_GROUP_CANDIDATE,
    MessageType.RTC_GROUP_DEVICE,
  ]),
  ...inGroup,
  selfSend: z.boolean(),
  content: z.string(),
});
export type GroupCallSignal = z.output<typeof groupCallSignal>;

/** What people did to the message `messageId`. Only clients with the capability `extras` get it. */
const extraOf = {
  type: z.literal(MessageType.EXTRA),
  messageId: id(),
  extra: messageExtra,
  acts: z.array(extraAct),
};

/** What somebody is about to send. */
export const TYPING_KINDS = ["text", "voice"] as const;
export type TypingKind = (typeof TYPING_KINDS)[number];

/** `sendId` types, or no longer does. Only clients with the capability `typing` get it; it is stored nowhere. */
const typing = {
  type: z.literal(MessageType.TYPING),
  what: z.enum(TYPING_KINDS),
  on: z.boolean(),
};

/** Signals in frames with cmd 3. */
export const privateSignal = z.discriminatedUnion("type", [
  loading,
  /** Read on another device of this person, up to `maxId`. */
  z.object({ type: z.literal(MessageType.READED), ...toPerson, maxId: id(), ...empty }),
  /** The friend has read up to `maxId`. */
  z.object({ type: z.literal(MessageType.RECEIPT), ...toPerson, maxId: id(), ...json }),
  aboutPeople(MessageType.FRIEND_REQ_APPLY),
  aboutPeople(MessageType.FRIEND_REQ_APPROVE),
  aboutPeople(MessageType.FRIEND_REQ_REJECT),
  aboutPeople(MessageType.FRIEND_REQ_RECALL),
  aboutPeople(MessageType.FRIEND_NEW),
  z.object({ type: z.literal(MessageType.FRIEND_DELETED), ...toPerson, ...empty }),
  aboutGroup(MessageType.GROUP_REQ_APPLY),
  aboutGroup(MessageType.GROUP_REQ_APPROVE),
  aboutGroup(MessageType.GROUP_REQ_REJECT),
  z.object({
    type: z.literal(MessageType.CHANGES),
    ...toPerson,
    content: z.enum(["", CHANGED_PEOPLE]),
  }),
  z.object({ ...extraOf, ...toPerson, ...empty }),
  z.object({ ...typing, ...toPerson, ...empty }),
  privateCallSignal,
]);
export type PrivateSignal = z.output<typeof privateSignal>;

/** Signals in frames with cmd 4. */
export const groupSignal = z.discriminatedUnion("type", [
  loading,
  z.object({ type: z.literal(MessageType.READED), ...inGroup, maxId: id(), ...empty }),
  /** How many have read the message `id`; the content says the same, for older clients. */
  z.object({
    type: z.literal(MessageType.RECEIPT),
    ...inGroup,
    id: id(),
    readedCount: z.number(),
    receiptOk: z.boolean(),
    ...json,
  }),
  aboutGroup(MessageType.GROUP_NEW),
  aboutGroup(MessageType.GROUP_KICK_USER_MSG),
  z.object({ type: z.literal(MessageType.GROUP_LEFT), ...inGroup, ...empty }),
  z.object({ ...extraOf, ...inGroup, ...empty }),
  /** `sendNickName` is the name in the group. */
  z.object({ ...typing, ...inGroup, sendNickName: z.string(), ...empty }),
  groupCallSignal,
]);
export type GroupSignal = z.output<typeof groupSignal>;

/** Signals in frames with cmd 5. */
export const systemSignal = z.discriminatedUnion("type", [
  loading,
  z.object({ type: z.literal(MessageType.READED), ...toPerson, maxId: id(), ...empty }),
  /** The content is the reason; the session ends behind it. */
  z.object({ type: z.literal(MessageType.USER_BANNED), recvId: id(), ...json }),
  z.object({ type: z.literal(MessageType.USER_UNREG), recvId: id(), ...json }),
]);
export type SystemSignal = z.output<typeof systemSignal>;
