import { LinkifyIt } from "linkify-it";

export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

const linkify = new LinkifyIt({ fuzzyLink: true }).add("ftp:", null).add("//", null);

/** Only these may be opened from a message; everything else stays text. */
const SAFE = /^(https?:\/\/|mailto:)/i;

/** Text and links of a message, in order; joined again they are the whole text. */
export function splitLinks(text: string): readonly TextPart[] {
  const links = linkify.match(text);
  if (links === null) return [{ kind: "text", text }];
  const parts: TextPart[] = [];
  let end = 0;
  for (const link of links) {
    if (!SAFE.test(link.url)) continue;
    if (link.index > end) parts.push({ kind: "text", text: text.slice(end, link.index) });
    parts.push({ kind: "link", text: link.raw, href: link.url });
    end = link.lastIndex;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}
