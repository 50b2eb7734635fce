import type { PreviewKey } from "@parley/protocol/message";
import type { Preview } from "@parley/core/model/state";
import { emoticonsToText } from "./emoticon-names.ts";
import type { Text, TextId } from "./i18n.ts";
import { tipText } from "./tip-text.ts";

/** Labels before the text; `null` shows the text alone. */
const KIND_TEXTS = {
  content: null,
  notice: null,
  image: "preview.image",
  file: "preview.file",
  audio: "preview.audio",
  video: "preview.video",
  redEnvelope: "preview.redEnvelope",
  transfer: "preview.transfer",
  voiceCall: "preview.voiceCall",
  videoCall: "preview.videoCall",
  location: "preview.location",
  shake: "preview.shake",
  businessCard: "preview.businessCard",
  friendApply: "preview.friendApply",
  groupApply: "preview.groupApply",
  unknown: "chat.unsupported",
} as const satisfies Record<PreviewKey, TextId | null>;

/** Texts after the label of a request, with the name of the person. */
const REQUEST_TEXTS = { friendApply: "preview.friendApplyBy", groupApply: "preview.groupApplyBy" } as const;

/** The last line of a chat in the reader's language (spec §4). `me`: id of the reader, whom a tip may be about. */
export function previewText(preview: Preview | null, t: Text, me: number | null = null): string {
  if (preview === null) return "";
  const label = KIND_TEXTS[preview.key];
  if (label === null) {
    return preview.tip === null
      ? emoticonsToText(preview.text, t)
      : tipText(preview.tip, { sendId: preview.sendId, content: preview.text }, me, t);
  }
  if (preview.key === "transfer") return t("preview.transfer", { amount: preview.text });
  if (preview.text !== "" && (preview.key === "friendApply" || preview.key === "groupApply"))
    return `${t(label)} ${t(REQUEST_TEXTS[preview.key], { name: preview.text })}`;
  // The content of an unknown kind is meant for programs.
  if (preview.key === "unknown") return t(label);
  return [t(label), preview.text].filter(Boolean).join(" ");
}
