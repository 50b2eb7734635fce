import { GroupRole, MessageStatus } from "@parley/protocol/codes";
import type { PushData } from "@parley/protocol/received-frame";
import {
  type CallResult,
  callResult,
  type GroupMessage,
  type PrivateMessage,
  type QuoteMessage,
  quoteMessage,
  type SystemMessage,
  type Tip,
} from "@parley/protocol/message";
import { messageExtra } from "@parley/protocol/message-extra";
import { receivedTip } from "@parley/protocol/received-push";
import { isId, isTime } from "@parley/protocol/text";

/**
 * Reads pushed rows of any server. Without a valid id, sender, chat, time and type a row is of no use; any other field that is missing or
 * invalid gets a default. The types of the results are those of the schemas, so a new field has to be read here as well. Plain fields are
 * not parsed by the schemas themselves: a pull brings thousands of rows, and with zod it would take 1.6 times as long.
 */

/** Reads a pushed private row; null if it is of no use. */
export function privateRowOf(data: PushData): PrivateMessage | null {
  const { recvId } = data;
  const fields = storedFieldsOf(data);
  return fields !== null && isId(recvId) ? { ...fields, recvId } : null;
}

/** Reads a pushed group row; null if it is of no use. */
export function groupRowOf(data: PushData): GroupMessage | null {
  const { groupId } = data;
  const fields = storedFieldsOf(data);
  if (fields === null || !isId(groupId)) return null;
  return {
    ...fields,
    groupId,
    sendRole: numberOr(data["sendRole"], GroupRole.MEMBER),
    atUserIds: numbersOf(data["atUserIds"]),
    receipt: flagOf(data["receipt"]),
    receiptOk: flagOf(data["receiptOk"]),
    readedCount: numberOr(data["readedCount"], 0),
  };
}

/** Reads a pushed row of the system chat; null if it is of no use. */
export function systemRowOf(data: PushData): SystemMessage | null {
  const { id, seqNo, type, sendTime } = data;
  if (!isId(id) || !isId(seqNo) || !Number.isSafeInteger(type) || !isTime(sendTime)) return null;
  return {
    id,
    seqNo,
    type,
    title: textOrNull(data["title"]),
    intro: textOrNull(data["intro"]),
    coverUrl: textOrNull(data["coverUrl"]),
    content: textOf(data["content"]),
    status: numberOr(data["status"], MessageStatus.SENDED),
    sendTime,
    isVerifyMessage: flagOf(data["isVerifyMessage"]),
    isPermanent: flagOf(data["isPermanent"]),
    isTop: flagOf(data["isTop"]),
  };
}

function storedFieldsOf(data: PushData): Omit<PrivateMessage, "recvId"> | null {
  const { id, type, sendId, sendTime } = data;
  if (!isId(id) || !isId(sendId) || !Number.isSafeInteger(type) || !isTime(sendTime)) return null;
  return {
    id,
    tmpId: textOrNull(data["tmpId"]),
    type,
    sendId,
    sendNickName: textOf(data["sendNickName"]),
    content: textOf(data["content"]),
    sendTime,
    ...(isTime(data["receivedAt"]) && { receivedAt: data["receivedAt"] }),
    status: numberOr(data["status"], MessageStatus.SENDED),
    quoteMessage: quoteOf(data["quoteMessage"]),
    isEdited: flagOf(data["isEdited"]),
    editedAt: timeOrNull(data["editedAt"]),
    tip: tipOf(data["tip"]),
    act: callResultOf(data["act"]),
    ...(data["extra"] !== undefined && { extra: messageExtra.safeParse(data["extra"]).data }),
  };
}

/** A boolean field; anything but `true` is false. */
export function flagOf(value: unknown): boolean {
  return value === true;
}

/** A text field; anything else is empty. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A text field; anything else is null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A time in epoch ms; anything else is null. */
export function timeOrNull(value: unknown): number | null {
  return isTime(value) ? value : null;
}

/** A number field; anything else becomes `fallback`. */
export function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

/** The numbers of an array field; anything else is left out. */
export function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];
}

/** A quote if all of its fields are valid, else null. */
export function quoteOf(value: unknown): QuoteMessage | null {
  return value === null ? null : (quoteMessage.safeParse(value).data ?? null);
}

/** A tip if all of its fields are valid, else null. */
export function tipOf(value: unknown): Tip | null {
  return value === null ? null : (receivedTip.safeParse(value).data ?? null);
}

/** The result of a call if all of its fields are valid, else null. */
export function callResultOf(value: unknown): CallResult | null {
  return value === null ? null : (callResult.safeParse(value).data ?? null);
}
