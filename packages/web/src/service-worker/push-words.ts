import { EMOTICONS, splitEmoticons } from "@parley/protocol/emoticons";
import type { WebPushCall, WebPushMessages, WebPushPreview } from "@parley/protocol/web-push";

/** The texts of the pages that a notification needs, in all languages; `service-worker.config.ts` inserts them. */
const TEXTS = __PUSH_TEXTS__;

/** Texts after the label of a request, with the name of the person. */
const REQUEST_TEXTS: Readonly<Record<string, string>> = {
  friendApply: "preview.friendApplyBy",
  groupApply: "preview.groupApplyBy",
};

/** Title and text of a notification about `count` messages, in the language of the push. */
export function wordsOf(
  { language, preview, isMention }: Pick<WebPushMessages, "language" | "preview" | "isMention">,
  count: number,
): { title: string; body: string } {
  const t = textsOf(language);
  const title = t("app.name");
  if (preview === null) {
    if (isMention) return { title, body: t("chat.atMeLabel") };
    return { title, body: count === 1 ? t("notification.hidden") : t("notification.hiddenMany", { count }) };
  }
  const text = previewText(preview, t);
  const { sender, group } = preview;
  return {
    title: group ?? title,
    body: sender === null ? text : t("chat.announce", { name: sender, text }),
  };
}

/** Title and text of a notification about a call that rings, in the language of the push. */
export function callWordsOf({ language, preview }: Pick<WebPushCall, "language" | "preview">): {
  title: string;
  body: string;
} {
  const t = textsOf(language);
  const title = t("app.name");
  if (preview === null) return { title, body: t("notification.call") };
  const { group, sender } = preview;
  const name = sender ?? "";
  if (group === null) return { title, body: t("notification.callBy", { name }) };
  return { title: group, body: t("notification.groupCallBy", { name }) };
}

type Text = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The texts used here insert values without further rules, so no library is needed. */
function textsOf(language: string): Text {
  const texts = TEXTS[language === "en" ? "en-US" : language] ?? TEXTS["en-US"] ?? {};
  return (key, values = {}) =>
    (texts[key] ?? key).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** The texts of these areas are used by the pages too, where the check of the catalogues sees them. */
function idOf(area: "preview" | "emoticon", name: string | number): string {
  return `${area}.${name}`;
}

/** What the chat list says of the message (`kit/chats/preview-text.ts`). */
function previewText({ key, text }: WebPushPreview, t: Text): string {
  if (key === "content" || key === "notice") return emoticonsToText(text, t);
  if (key === "unknown") return t("chat.unsupported");
  if (key === "transfer") return t("preview.transfer", { amount: text });
  const label = t(idOf("preview", key));
  if (text === "") return label;
  const request = REQUEST_TEXTS[key];
  return `${label} ${request === undefined ? text : t(request, { name: text })}`;
}

function emoticonsToText(text: string, t: Text): string {
  return splitEmoticons(text)
    .map((part) => {
      if ("text" in part) return part.text;
      const key = idOf("emoticon", part.emoticon);
      const name = t(key);
      return `[${name === key ? EMOTICONS[part.emoticon] : name}]`;
    })
    .join("");
}
