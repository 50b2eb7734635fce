import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { indexTerms } from "@parley/protocol/search-text";
import { parseObject } from "../model/json.ts";
import type { ChatMessage } from "../model/state.ts";

/** Fields of contents that people would search for. */
const FIELDS: Readonly<Record<number, readonly string[]>> = {
  [MessageType.FILE]: ["name"],
  [MessageType.REDENVELOPE]: ["message"],
  [MessageType.TRANSFER]: ["remark"],
  [MessageType.LOCATION]: ["name", "address"],
  [MessageType.BUSINESS_CARD]: ["nickName"],
};

/** The words of a message that a search looks at; empty for none, e.g. of a recalled one. */
export function searchedText(message: ChatMessage): string {
  const { type, content, status, system } = message;
  if (status === MessageStatus.RECALL || type === MessageType.TIP_TEXT || type === MessageType.TIP_TIME)
    return "";
  if (system !== null) return [system.title, system.intro].filter(Boolean).join("\n");
  if (kindOf(type)?.content !== "json") return content;
  const value = parseObject(content);
  return (FIELDS[type] ?? [])
    .flatMap((field) => (typeof value?.[field] === "string" ? [value[field]] : []))
    .join("\n");
}

/** What the disk finds a message by. */
export function termsOf(message: ChatMessage): readonly string[] {
  const text = searchedText(message);
  return text === "" ? [] : indexTerms(text);
}
