import type { PreviewKey } from "@parley/protocol/message";
import type { Preview } from "@parley/core/model/state";
import { emoticonsToText } from "./emoticon-names.ts";
import type { Text, TextId } from "./i18n.ts";
import { tipText } from "./tip-text.ts";

/** Marks that stand before the words; `null` shows the words alone. */
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

/** Who wants what, behind the mark. */
const WANTS = { friendApply: "preview.friendApplyBy", groupApply: "preview.groupApplyBy" } as const;

/** The last line of a chat in the reader's language (spec §4). `me`: who reads, whom a tip may be about. */
export function previewText(preview: Preview | null, t: Text, me: number | null = null): string {
  if (preview === null) return "";
  const mark = KIND_TEXTS[preview.key];
  if (mark === null) {
    return preview.tip === null
      ? emoticonsToText(preview.text, t)
      : tipText(preview.tip, { sendId: preview.sendId, content: preview.text }, me, t);
  }
  if (preview.key === "transfer") return t("preview.transfer", { amount: preview.text });
  if (preview.text !== "" && (preview.key === "friendApply" || preview.key === "groupApply"))
    return `${t(mark)} ${t(WANTS[preview.key], { name: preview.text })}`;
  // What it says is meant for programs.
  if (preview.key === "unknown") return t(mark);
  return [t(mark), preview.text].filter(Boolean).join(" ");
}
