import type { Tip } from "@parley/protocol/message";
import { isNamed, peopleNamedIn, tipKeyOf } from "@parley/protocol/tips";
import type { Preview } from "@parley/core/model/state";
import { emoticonsToText } from "../i18n/emoticon-names.ts";
import type { Translate } from "../i18n/i18n.ts";
import { namesInSentence } from "../i18n/names-text.ts";

/** Texts after the label of a request, with the name of the person. */
const REQUEST_TEXTS = { friendApply: "preview.friendApplyBy", groupApply: "preview.groupApplyBy" } as const;

/** The last line of a chat in the reader's language (spec §4). `me`: id of the reader, whom a tip may be about. */
export function previewText(preview: Preview | null, t: Translate, me: number | null = null): string {
  if (preview === null) return "";
  const { key, text } = preview;
  if (key === "content" || key === "notice") {
    return preview.tip === null
      ? emoticonsToText(text, t)
      : tipText(preview.tip, { sendId: preview.sendId, content: text }, me, t);
  }
  // The content of an unknown kind is meant for programs.
  if (key === "unknown") return t("chat.unsupported");
  if (key === "transfer") return t("preview.transfer", { amount: text });
  const label = t(`preview.${key}`);
  if (text === "") return label;
  const isRequest = key === "friendApply" || key === "groupApply";
  return `${label} ${isRequest ? t(REQUEST_TEXTS[key], { name: text }) : text}`;
}

/** The message of a tip, or the last line of a chat. */
interface TipMessage {
  readonly sendId: number;
  /** The server's own text. */
  readonly content: string;
}

/** The text of a tip in the reader's language, addressing the reader as "you". An unknown tip of a newer server shows the server's text. */
export function tipText(tip: Tip, { sendId, content }: TipMessage, me: number | null, t: Translate): string {
  const key = tipKeyOf(tip);
  if (key === null) return content;
  const readerOr = (param: "name" | "author") =>
    me !== null && isNamed(tip, param, me, sendId) ? "me" : "other";
  const people = peopleNamedIn(tip);
  const others = people.filter((person) => me === null || person.id !== me).map(({ name }) => name);
  const names = namesInSentence(others, others.length < people.length, t);
  return t(`tip.${key}`, { ...tip.params, names, by: readerOr("name"), of: readerOr("author") });
}
