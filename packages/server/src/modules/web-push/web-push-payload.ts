/** What a web push says, and how it is labelled for the push service. */
import { createHash } from "node:crypto";
import { ChatType } from "@parley/protocol/codes";
import { PUSH_TEXT_MAX } from "@parley/protocol/limits";
import { kindOf, parseObject } from "@parley/protocol/message";
import type { WebPushPayload, WebPushPreview } from "@parley/protocol/web-push";
import type { AlertingMessage, ChatRef } from "../../delivery.ts";
import type { WebPush } from "../../ports/web-push.ts";
import type { SubscribedDevice } from "../../ports/web-push-store.ts";

/** A message is old news after this time; the page shows it then. */
const TTL_SECONDS = 86_400;
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
  return pushOf(device, chat, payload, isUrgent ? "high" : "normal");
}

/** The push that takes away what is shown of a chat. It replaces a push of new messages that the device has not got yet. */
export function chatReadPush(device: SubscribedDevice, chat: ChatRef): WebPush {
  const payload: WebPushPayload = { kind: "read", userId: device.userId, chat: chatKeyOf(chat) };
  return pushOf(device, chat, payload, "normal");
}

/** The key of a chat, as clients write it. */
export function chatKeyOf({ type, targetId }: ChatRef): `${ChatType}:${number}` {
  return `${type}:${targetId}`;
}

function pushOf(
  device: SubscribedDevice,
  chat: ChatRef,
  payload: WebPushPayload,
  urgency: WebPush["urgency"],
): WebPush {
  const json = JSON.stringify(payload);
  const bytes = Buffer.byteLength(json);
  const padding = Math.ceil(bytes / PADDED_BYTES) * PADDED_BYTES - bytes;
  return {
    payload: json + " ".repeat(padding),
    ttlSeconds: TTL_SECONDS,
    urgency,
    topic: topicOf(device.sessionId, chat),
  };
}

/** The same for all pushes of a chat to a device. The push service learns nothing of the chat by it. */
function topicOf(sessionId: string, chat: ChatRef): string {
  const hash = createHash("sha256")
    .update(`${sessionId} ${chatKeyOf(chat)}`)
    .digest("base64url");
  return hash.slice(0, TOPIC_LENGTH);
}

/** What the chat list shows of a message, which the device puts into words of its language. */
function previewOf({ type, content }: AlertingMessage): Pick<WebPushPreview, "key" | "text"> {
  const kind = kindOf(type);
  const key = kind === undefined ? "unknown" : (kind.preview ?? "content");
  const field = kind?.previewField;
  if (kind?.content !== "json" || kind.isRequest === true) return { key, text: shorten(content) };
  const value = field === undefined ? undefined : parseObject(content)[field];
  return { key, text: typeof value === "string" || typeof value === "number" ? shorten(String(value)) : "" };
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= PUSH_TEXT_MAX ? text : `${characters.slice(0, PUSH_TEXT_MAX).join("")}…`;
}
