import { LinkifyIt } from "linkify-it";

export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

const linkify = new LinkifyIt({ fuzzyLink: true }).add("ftp:", null).add("//", null);

/**
 * Han, kana and hangul end a link and may stand right before one: nobody writes a blank there, and addresses that hold such letters are
 * copied from browsers in their encoded form.
 */
const EAST_ASIAN = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+)/u;

/** Only these may be opened from a message; everything else stays text. */
const SAFE = /^(https?:\/\/|mailto:)/i;

/** Text and links of a message, in order; joined again they are the whole text. */
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
