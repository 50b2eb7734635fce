import { ExternalLink } from "lucide-react";
import { Fragment, createElement } from "react";
import type { ReactNode } from "react";
import type { NoticeBody } from "@parley/core/chats/message-actions";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Stack, Text } from "../../ui/layout.tsx";
import { useText } from "../i18n/i18n.ts";
import styles from "./notice-text.module.css";

/** The text of a notice, and the link to its page. */
export function NoticeText({ body }: { body: Pick<NoticeBody, "richText" | "externLink"> }) {
  const t = useText();
  const address = webAddress(body.externLink);
  return (
    <>
      {body.richText !== null && (
        <div className={styles.text} dir="auto">
          <RichText html={body.richText} />
        </div>
      )}
      {address !== null && (
        <a className={styles.link} href={address} target="_blank" rel="noopener noreferrer nofollow">
          <Stack as="span" grow>
            <Text weight="name">{new URL(address).host}</Text>
            <Text truncate size={12} tone="tertiary">
              {address}
            </Text>
          </Stack>
          <span className="visually-hidden">{t("notice.newTab")}</span>
          <ExternalLink {...ICON_PROPS} />
        </a>
      )}
    </>
  );
}

/** Allowed elements and what they are rendered as; headings rank below the notice's title. Of other elements only the text is kept. */
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

/** Elements that are dropped together with their text. */
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

/** Deeper nesting is dropped; real notices do not reach it. */
const DEPTH_MAX = 40;

/** The normalised URL of an http or https link; null for every other scheme. */
function webAddress(href: string | null): string | null {
  if (href === null || !URL.canParse(href)) return null;
  const { protocol, href: address } = new URL(href);
  return protocol === "http:" || protocol === "https:" ? address : null;
}

/**
 * Renders HTML safely: the browser parses it into a document that runs and loads nothing, and React elements are built from a short list of
 * allowed elements, without attributes except the URL of a link. The server sanitizes it too, but the client does not rely on that.
 */
function RichText({ html }: { html: string }) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return childrenOf(body, 0);
}

function childrenOf(parent: Node, depth: number): ReactNode[] {
  return [...parent.childNodes].map((node, index) => <Fragment key={index}>{render(node, depth)}</Fragment>);
}

function render(node: Node, depth: number): ReactNode {
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
