import { Fragment, createElement } from "react";
import type { ReactNode } from "react";

/** Elements that may be shown, and as what: headings stand below the title of the notice. Of all others only the words are left. */
const ELEMENT_MAP: Readonly<Record<string, string>> = {
  P: "p",
  BR: "br",
  UL: "ul",
  OL: "ol",
  LI: "li",
  BLOCKQUOTE: "blockquote",
  H1: "h3",
  H2: "h4",
  H3: "h5",
  PRE: "pre",
  HR: "hr",
  B: "b",
  STRONG: "strong",
  I: "i",
  EM: "em",
  U: "u",
  S: "s",
  CODE: "code",
};

/** Not even their words. */
const DROPPED = new Set([
  "SCRIPT",
  "STYLE",
  "TEMPLATE",
  "NOSCRIPT",
  "IFRAME",
  "OBJECT",
  "TITLE",
  "TEXTAREA",
  "SELECT",
  "SVG",
  "MATH",
]);

/** Deeper than anybody writes. */
const DEPTH_MAX = 40;

/** The address of a link to the web; null for every other kind. */
export function webAddress(href: string | null): string | null {
  if (href === null || !URL.canParse(href)) return null;
  const { protocol, href: address } = new URL(href);
  return protocol === "http:" || protocol === "https:" ? address : null;
}

/**
 * HTML as React shows it: parsed by the browser into a document that runs and loads nothing, and built anew from a short list of elements
 * without any attribute but the address of a link. The server has cleaned it too; this page does not rely on that.
 */
export function RichText({ html }: { html: string }) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return childrenOf(body, 0);
}

function childrenOf(parent: Node, depth: number): ReactNode[] {
  return [...parent.childNodes].map((node, index) => <Fragment key={index}>{shown(node, depth)}</Fragment>);
}

function shown(node: Node, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
  if (!(node instanceof Element) || DROPPED.has(node.nodeName.toUpperCase()) || depth > DEPTH_MAX)
    return null;
  const children = childrenOf(node, depth + 1);
  if (node.nodeName === "A") {
    const address = webAddress(node.getAttribute("href"));
    if (address === null) return children;
    return (
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  }
  const name = ELEMENT_MAP[node.nodeName];
  if (name === undefined) return children;
  return name === "br" || name === "hr" ? createElement(name) : createElement(name, null, children);
}
