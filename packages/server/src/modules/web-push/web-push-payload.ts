/** What a web push says, and how it is labelled for the push service. */
import { createHash } from "node:crypto";
import { ChatType } from "@parley/protocol/codes";
import { CALL_RING_MS, PUSH_TEXT_MAX } from "@parley/protocol/limits";
import { kindOf, parseObject } from "@parley/protocol/message";
import type { WebPushPayload, WebPushPreview } from "@parley/protocol/web-push";
import type { AlertingMessage, ChatRef } from "../../delivery/delivery.ts";
import type { WebPush } from "../../ports/web-push.ts";
import type { SubscribedDevice } from "../../ports/web-push-store.ts";

/** A message is old news after this time; the page shows it then. */
const TTL_SECONDS = 86_400;
/** A call does not ring for longer. */
const RING_TTL_SECONDS = CALL_RING_MS / 1_000;
/** All pushes are filled up to a multiple of this, so that their length says nothing of the text. */
const PADDED_BYTES = 1_024;
const TOPIC_LENGTH = 32;

/** New messages of a chat, for all devices of one person. */
export interface NewMessages {
  userId: number;
  chat: ChatRef;
  newest: AlertingMessage;
  count: number;
  isMention: boolean;
  /** How the person calls the sender and the group. */
  names: { sender: string | null; group: string | null };
}

/** A call that rings, for all devices of one person. */
export interface RingingCall {
  userId: number;
  chat: ChatRef;
  /** The names that the person has for the caller and the group. */
  names: { sender: string; group: string | null };
}

/** The push about new messages. Without the wish for previews it contains neither names nor text. */
export function newMessagesPush(
  device: SubscribedDevice,
  { userId, chat, newest, count, isMention, names }: NewMessages,
): WebPush {
  const payload: WebPushPayload = {
    kind: "messages",
    userId,
    chat: chatKeyOf(chat),
    count,
    isMention,
    newest: newest.position,
    language: device.language,
    preview: device.hasPreview ? { ...names, ...previewOf(newest) } : null,
  };
  const isUrgent = chat.type === ChatType.PRIVATE || isMention;
  return pushOf(payload, topicOf(device, chat), { urgency: isUrgent ? "high" : "normal" });
}

/** The push that takes away what is shown of a chat. It replaces a push of new messages that the device has not got yet. */
export function chatReadPush(device: SubscribedDevice, chat: ChatRef): WebPush {
  const payload: WebPushPayload = { kind: "read", userId: device.userId, chat: chatKeyOf(chat) };
  return pushOf(payload, topicOf(device, chat), { urgency: "normal" });
}

/** The push about a call that rings. Without the wish for previews it does not name the caller. */
export function callPush(device: SubscribedDevice, { userId, chat, names }: RingingCall): WebPush {
  const payload: WebPushPayload = {
    kind: "call",
    userId,
    chat: chatKeyOf(chat),
    language: device.language,
    preview: device.hasPreview ? names : null,
  };
  return pushOf(payload, topicOf(device, chat, "call"), { urgency: "high", ttlSeconds: RING_TTL_SECONDS });
}

/** The push that takes away what is shown of a call. It replaces the one about the call if the device has not got that yet. */
export function callOverPush(device: SubscribedDevice, chat: ChatRef): WebPush {
  const payload: WebPushPayload = { kind: "callOver", userId: device.userId, chat: chatKeyOf(chat) };
  return pushOf(payload, topicOf(device, chat, "call"), { urgency: "high" });
}

/** The key of a chat, as clients write it. */
export function chatKeyOf({ type, targetId }: ChatRef): `${ChatType}:${number}` {
  return `${type}:${targetId}`;
}

function pushOf(
  payload: WebPushPayload,
  topic: string,
  { urgency, ttlSeconds = TTL_SECONDS }: Pick<WebPush, "urgency"> & Partial<Pick<WebPush, "ttlSeconds">>,
): WebPush {
  const json = JSON.stringify(payload);
  const bytes = Buffer.byteLength(json);
  const padding = Math.ceil(bytes / PADDED_BYTES) * PADDED_BYTES - bytes;
  return {
    payload: json + " ".repeat(padding),
    ttlSeconds,
    urgency,
    topic,
  };
}

/** The same for all pushes to a device about the messages of a chat, or about its calls. The push service learns nothing of the chat by it. */
function topicOf(
  { sessionId }: SubscribedDevice,
  chat: ChatRef,
  what: "messages" | "call" = "messages",
): string {
  const hash = createHash("sha256")
    .update(`${sessionId} ${chatKeyOf(chat)} ${what}`)
    .digest("base64url");
  return hash.slice(0, TOPIC_LENGTH);
}

/** What the chat list shows of a message, which the device puts into words of its language. */
function previewOf({ type, content }: AlertingMessage): Pick<WebPushPreview, "key" | "text"> {
  const kind = kindOf(type);
  const key = kind === undefined ? "unknown" : (kind.preview ?? "content");
  const field = kind?.previewField;
  if (field === null) return { key, text: "" };
  if (kind?.content !== "json" || kind.isRequest === true) return { key, text: shorten(content) };
  const value = field === undefined ? undefined : parseObject(content)[field];
  return { key, text: typeof value === "string" || typeof value === "number" ? shorten(String(value)) : "" };
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= PUSH_TEXT_MAX ? text : `${characters.slice(0, PUSH_TEXT_MAX).join("")}…`;
}
