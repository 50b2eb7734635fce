/** Sanitises an administrator's HTML: a short list of elements and links to the web remain. */
import type { Attributes, IOptions } from "sanitize-html";

const BLOCKS = ["p", "br", "ul", "ol", "li", "blockquote", "h1", "h2", "h3", "pre", "hr"];
const INLINE = ["b", "strong", "i", "em", "u", "s", "code", "a"];
const NESTING_MAX = 20;
const LINK_MAX = 2_000;

const OPTIONS: IOptions = {
  allowedTags: [...BLOCKS, ...INLINE],
  allowedAttributes: { a: ["href", "rel", "target"] },
  allowedSchemes: ["http", "https"],
  allowProtocolRelative: false,
  nestingLimit: NESTING_MAX,
  transformTags: {
    a: (tagName, { href }) => {
      const link = webLink(href ?? "");
      const attribs: Attributes =
        link === undefined ? {} : { href: link, rel: "noopener noreferrer nofollow", target: "_blank" };
      return { tagName, attribs };
    },
  },
};

/** Removes everything that is not allowed in a notice. */
export async function sanitizeNotice(html: string): Promise<string> {
  // Notices are rare and the library is large, so the start of the server does not load it.
  const { default: sanitizeHtml } = await import("sanitize-html");
  return sanitizeHtml(html, OPTIONS).trim();
}

/** The address in the form that browsers use; undefined unless it is an absolute http or https address. */
export function webLink(address: string): string | undefined {
  if (address.length > LINK_MAX || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === "http:" || protocol === "https:" ? href : undefined;
}

/** HTML for a plain text, with its paragraphs and line breaks. */
export function htmlOfText(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const paragraphs = escaped
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
  return paragraphs.map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br />")}</p>`).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};

/** The text of sanitised HTML, on one line. */
export function plainTextOf(sanitised: string): string {
  const blocks = new RegExp(`</?(?:${BLOCKS.join("|")})[ />]`);
  return sanitised
    .replaceAll(/<[^>]*>/g, (tag) => (blocks.test(tag.replace(/>$/, " ")) ? " " : ""))
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
}
