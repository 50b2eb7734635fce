import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { parseObject } from "../parse-object.ts";
import type { ChatMessage, Preview } from "../state.ts";

/** The last line of a chat as kind and text (spec §4), which the screen turns into words. null for kinds without a preview. */
export function previewOf(message: ChatMessage): Preview | null {
  const kind = kindOf(message.type);
  const key = kind === undefined ? "unknown" : kind.preview;
  if (key === null) return null;
  return { key, text: textOf(message), tip: message.tip, sendId: message.sendId, sending: message.sending };
}

function textOf(message: ChatMessage): string {
  switch (message.type) {
    case MessageType.TRANSFER: {
      const amount = parseObject(message.content)?.["amount"];
      return typeof amount === "number" || typeof amount === "string" ? String(amount) : "";
    }
    case MessageType.SYSTEM_MESSAGE:
      return message.system?.title ?? "";
    case MessageType.FRIEND_APPLY:
      return message.system?.request?.sendNickName ?? "";
    case MessageType.GROUP_APPLY:
      return message.system?.groupRequest?.sendNickName ?? "";
    default:
      return kindOf(message.type)?.content === "json" ? "" : message.content;
  }
}
