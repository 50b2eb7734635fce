import { LinkifyIt } from "linkify-it";

/** A part of a text: plain text or a link. */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

let linkify: LinkifyIt | null = null;

/** Whether texts were searched before. The first search takes long, because it compiles large expressions. */
export function wereLinksSearched(): boolean {
  return linkify !== null;
}

/**
 * Han, kana and hangul characters end a link, and a link may follow them without a blank: people write no blanks there. Browsers copy
 * addresses that contain such characters in encoded form, so copied links are not cut.
 */
const EAST_ASIAN = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+)/u;

/** Only links with these schemes are clickable; everything else stays text. */
const SAFE = /^(https?:\/\/|mailto:)/i;

/** Splits a text into plain text and links. The joined parts give the whole text. */
export function splitLinks(text: string): readonly TextPart[] {
  linkify ??= new LinkifyIt({ fuzzyLink: true, urlAuth: true }).add("ftp:", null).add("//", null);
  const parts: TextPart[] = [];
  let plain = "";
  let linkedUpTo = 0;
  let runStart = 0;
  for (const run of text.split(EAST_ASIAN)) {
    let end = 0;
    for (const link of linkify.match(run) ?? []) {
      const before = text.slice(linkedUpTo, runStart + link.index);
      if (!SAFE.test(link.url) || isPartOfAddress(before, link.raw, text.slice(runStart + link.lastIndex)))
        continue;
      linkedUpTo = runStart + link.lastIndex;
      plain += run.slice(end, link.index);
      if (plain !== "") parts.push({ kind: "text", text: plain });
      plain = "";
      parts.push({ kind: "link", text: link.raw, href: link.url });
      end = link.lastIndex;
    }
    plain += run.slice(end);
    runStart += run.length;
  }
  if (plain !== "") parts.push({ kind: "text", text: plain });
  return parts;
}

/** The address ends within its host: nothing says that the host is complete. */
const ENDS_IN_HOST = /^[a-z]+:\/\/[^/?#]*$/i;
const DOTLESS_HOST = /^[a-z]+:\/\/(?:[^@]*@)?(?!localhost(?::|$))[^.[\]:]*(?::\d+)?$/i;
/** The first part of an address, up to within its host. */
const OPEN_ADDRESS = /:\/\/[\p{L}\p{N}\p{M}.\-_~%!$&'*+;=:@]*$/u;
/** What may follow the first part of a host: user information with its host, a password that looked like a port, more of the name. */
const HOST_GOES_ON = [
  /^[-\w.~%!$&'*+;=:()[\]\\]*@/,
  /^[\p{L}\p{N}\p{M}.\-_~%!$&'*+;=:]*@[-\p{L}\p{N}]+[.:/]/u,
  /^:[-\w%!$&'*+;=~.]/,
  /^[-._]+[\p{L}\p{N}]/u,
];

/** Whether a link would lead to a part of an address only, and so to another host than the text names. */
function isPartOfAddress(before: string, link: string, after: string): boolean {
  if (!link.includes("://"))
    return OPEN_ADDRESS.test(before) || (link.includes("@") && /^:[\w~/]/.test(after));
  if (!ENDS_IN_HOST.test(link)) return false;
  return HOST_GOES_ON.some((rest) => rest.test(after)) || (DOTLESS_HOST.test(link) && /^\S/.test(after));
}

const WEB_LINK = /https?:|www\./i;

/** The addresses of web pages in a text that begin with a scheme or with `www.`, each once. */
export function linksOf(text: string): readonly string[] {
  if (!WEB_LINK.test(text)) return [];
  const links = splitLinks(text).filter((part) => part.kind === "link");
  return [...new Set(links.flatMap((link) => (/^(https?:|www\.)/i.test(link.text) ? [link.href] : [])))];
}
