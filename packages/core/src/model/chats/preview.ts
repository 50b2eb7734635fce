import { type Kind, kindOf } from "@parley/protocol/message";
import { pollTitle } from "@parley/protocol/poll";
import { parseObject } from "../parse-object.ts";
import type { ChatMessage, Preview } from "../state.ts";

/** What a preview shows of a message. */
export type PreviewedMessage = Pick<
  ChatMessage,
  "type" | "content" | "tip" | "sendId" | "sending" | "system" | "extra"
>;

/** The last line of a chat as kind and text (spec §4), which the screen turns into words. null for kinds without a preview. */
export function previewOf(message: PreviewedMessage): Preview | null {
  const kind = kindOf(message.type);
  const key = kind === undefined ? "unknown" : kind.preview;
  if (key === null) return null;
  return {
    key,
    text: textOf(message, kind),
    tip: message.tip,
    sendId: message.sendId,
    sending: message.sending,
  };
}

function textOf({ content, system, extra }: PreviewedMessage, kind: Kind | undefined): string {
  if (extra?.poll !== undefined) return pollTitle(extra.poll);
  if (kind?.preview === "notice") return system?.title ?? "";
  const field = kind?.previewField;
  if (field === null) return "";
  if (kind?.content !== "json") return content;
  if (system !== null) return (system.request ?? system.groupRequest)?.sendNickName ?? "";
  const value = field === undefined ? undefined : parseObject(content)?.[field];
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}
