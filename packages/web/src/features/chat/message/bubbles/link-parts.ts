import { LinkifyIt } from "linkify-it";

/** A part of a text: plain text or a link. */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

const linkify = new LinkifyIt({ fuzzyLink: true }).add("ftp:", null).add("//", null);

/**
 * Han, kana and hangul characters end a link, and a link may follow them without a blank: people write no blanks there. Browsers copy
 * addresses that contain such characters in encoded form, so copied links are not cut.
 */
const EAST_ASIAN = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+)/u;

/** Only links with these schemes are clickable; everything else stays text. */
const SAFE = /^(https?:\/\/|mailto:)/i;

/** Splits a text into plain text and links. The joined parts give the whole text. */
export function splitLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = "";
  for (const run of text.split(EAST_ASIAN)) {
    let end = 0;
    for (const link of linkify.match(run) ?? []) {
      if (!SAFE.test(link.url)) continue;
      plain += run.slice(end, link.index);
      if (plain !== "") parts.push({ kind: "text", text: plain });
      plain = "";
      parts.push({ kind: "link", text: link.raw, href: link.url });
      end = link.lastIndex;
    }
    plain += run.slice(end);
  }
  if (plain !== "") parts.push({ kind: "text", text: plain });
  return parts;
}

const WEB_LINK = /https?:|www\./i;

/** The addresses of web pages in a text that begin with a scheme or with `www.`, each once. */
export function linksOf(text: string): readonly string[] {
  if (!WEB_LINK.test(text)) return [];
  const links = splitLinks(text).filter((part) => part.kind === "link");
  return [...new Set(links.flatMap((link) => (/^(https?:|www\.)/i.test(link.text) ? [link.href] : [])))];
}
