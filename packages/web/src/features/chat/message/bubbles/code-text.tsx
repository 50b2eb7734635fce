import { Copy } from "lucide-react";
import { copyWithToast } from "../../../../kit/forms/copy-text.ts";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { PlainText } from "./plain-text.tsx";
import styles from "./code-text.module.css";

/** A text with code. Inside code nothing else is formatted. */
export function CodeText({ text }: { text: string }) {
  return splitCode(text).map((part, index) => {
    switch (part.kind) {
      case "text":
        return <PlainText key={index} text={part.text} />;
      case "inline":
        return (
          <code key={index} className={styles.code} dir="ltr" data-token={part.source}>
            {part.text}
          </code>
        );
      case "block":
        return <CodeBlock key={index} code={part.text} source={part.source} />;
    }
  });
}

function CodeBlock({ code, source }: { code: string; source: string }) {
  const t = useText();
  return (
    <div className={styles.block} dir="ltr" data-token={source}>
      <pre className={styles.lines}>
        <code>{code}</code>
      </pre>
      <IconButton
        label={t("code.copy")}
        size={32}
        tooltipSide="top"
        className={styles.copy}
        onClick={() => void copyWithToast(code)}
      >
        <Copy {...ICON_PROPS_16} />
      </IconButton>
    </div>
  );
}

/** A part of a message: plain text or code. */
type CodePart =
  | { readonly kind: "text"; readonly text: string }
  /** `source` includes the backticks, and the line ends around a block. */
  | { readonly kind: "inline" | "block"; readonly text: string; readonly source: string };

interface Range {
  readonly kind: "inline" | "block";
  readonly from: number;
  readonly to: number;
  readonly code: string;
}

/** A run of at least this many backticks begins or ends a block. */
const FENCE = 3;
/** The rest of the opening line if it is only the name of a language. */
const LANGUAGE = /^[ \t]*[\w+#.-]*[ \t]*\r?\n/;
const LINE_END = /\r?\n[ \t]*$/;
/** At most this many characters around a fence are searched for a line end. */
const LINE_END_MAX = 16;

/**
 * Splits a message into text and code. Texts and sources joined give the whole text. Code is between two runs of the same number of
 * backticks: one or two on the same line, three or more across lines. Unclosed and empty code is text, and so is all other markup.
 */
export function splitCode(text: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  let end = 0;
  for (const { kind, code, ...range } of codeRanges(text)) {
    const { from, to } = kind === "block" ? withLines(text, range, end) : range;
    if (from > end) parts.push({ kind: "text", text: text.slice(end, from) });
    parts.push({ kind, text: code, source: text.slice(from, to) });
    end = to;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** A block is displayed on lines of its own, so the line ends directly before and after it belong to it. */
function withLines(text: string, { from, to }: { from: number; to: number }, end: number) {
  const before = LINE_END.exec(text.slice(Math.max(end, from - LINE_END_MAX), from))?.[0] ?? "";
  const after = /^[ \t]*\r?\n/.exec(text.slice(to, to + LINE_END_MAX))?.[0] ?? "";
  return { from: from - before.length, to: to + after.length };
}

/** The text with its code replaced by blanks, without shifting positions: code contains no mentions. */
export function withoutCode(text: string): string {
  let masked = "";
  for (const { from, to } of codeRanges(text)) {
    masked += text.slice(masked.length, from) + " ".repeat(to - from);
  }
  return masked + text.slice(masked.length);
}

/** A run of backticks. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** The number of line ends before it. */
  readonly line: number;
}

function codeRanges(text: string): readonly Range[] {
  const runs: Run[] = [];
  let line = 0;
  for (const { index: from, 0: match } of text.matchAll(/`+|\n/g)) {
    if (match === "\n") line++;
    else runs.push({ from, to: from + match.length, length: match.length, line });
  }
  // For each run find the next one of the same length, in one pass from the end.
  const nextSame: (number | undefined)[] = [];
  const last = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]?.length ?? 0;
    nextSame[i] = last.get(length);
    last.set(length, i);
  }
  const ranges: Range[] = [];
  for (let i = 0; i < runs.length; i++) {
    const closing = nextSame[i];
    const range = rangeOf(text, runs[i], closing === undefined ? undefined : runs[closing]);
    if (range === null) continue;
    ranges.push(range);
    i = closing ?? i;
  }
  return ranges;
}

/** The code between two runs; null if it is no code. */
function rangeOf(text: string, open: Run | undefined, close: Run | undefined): Range | null {
  if (open === undefined || close === undefined) return null;
  const isBlock = open.length >= FENCE;
  // Some people type a backtick instead of an apostrophe.
  const isApostrophe = /[A-Za-z\d]/.test(text[open.from - 1] ?? "");
  if (!isBlock && (isApostrophe || open.line !== close.line)) return null;
  const inner = text.slice(open.to, close.from);
  const code = isBlock ? blockCode(inner) : inlineCode(inner);
  return code === null ? null : { kind: isBlock ? "block" : "inline", from: open.from, to: close.to, code };
}

function blockCode(inner: string): string | null {
  if (inner.trim() === "") return null;
  const body = inner.replace(LANGUAGE, "");
  const code = (body.trim() === "" ? inner.replace(/^[ \t]*\r?\n/, "") : body).replace(LINE_END, "");
  return code.replaceAll("\r\n", "\n");
}

/** One blank at each end is removed, so that code can begin or end with a backtick. */
function inlineCode(inner: string): string | null {
  if (inner.trim() === "") return null;
  return inner.startsWith(" ") && inner.endsWith(" ") ? inner.slice(1, -1) : inner;
}
