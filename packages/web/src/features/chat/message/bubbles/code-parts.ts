export type CodePart =
  | { readonly kind: "text"; readonly text: string }
  /** `source` is what was written: with the backticks, and the ends of lines that a block replaces. */
  | { readonly kind: "inline" | "block"; readonly text: string; readonly source: string };

interface Range {
  readonly kind: "inline" | "block";
  readonly from: number;
  readonly to: number;
  readonly code: string;
}

/** So many backticks and more fence a block. */
const FENCE = 3;
/** The rest of the opening line when it is but the name of a language. */
const LANGUAGE = /^[ \t]*[\w+#.-]*[ \t]*\r?\n/;
const LINE_END = /\r?\n[ \t]*$/;
/** No more blanks than this stand between a fence and the end of its line. */
const PARTNERS_MAX = 16;

/**
 * Text and code of a message, in order; texts and sources joined are the whole text. Code stands between two runs of equally many backticks: of one or two on one line, of three and
 * more over any lines. What has no end or nothing in it is text, and so is everything else that other programs take for markup.
 */
export function splitCode(text: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  let end = 0;
  for (const { kind, code, ...range } of codeIn(text)) {
    const { from, to } = kind === "block" ? withLines(text, range, end) : range;
    if (from > end) parts.push({ kind: "text", text: text.slice(end, from) });
    parts.push({ kind, text: code, source: text.slice(from, to) });
    end = to;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** A block makes lines of its own: those that end right before it and behind it belong to it. */
function withLines(text: string, { from, to }: { from: number; to: number }, end: number) {
  const before = LINE_END.exec(text.slice(Math.max(end, from - PARTNERS_MAX), from))?.[0] ?? "";
  const behind = /^[ \t]*\r?\n/.exec(text.slice(to, to + PARTNERS_MAX))?.[0] ?? "";
  return { from: from - before.length, to: to + behind.length };
}

/** The text with blanks in place of its code, each letter in its place: nobody is named in code. */
export function withoutCode(text: string): string {
  let masked = "";
  for (const { from, to } of codeIn(text)) {
    masked += text.slice(masked.length, from) + " ".repeat(to - from);
  }
  return masked + text.slice(masked.length);
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** How many lines end before it. */
  readonly line: number;
}

function codeIn(text: string): readonly Range[] {
  const runs: Run[] = [];
  let line = 0;
  for (const { index: from, 0: found } of text.matchAll(/`+|\n/g)) {
    if (found === "\n") line++;
    else runs.push({ from, to: from + found.length, length: found.length, line });
  }
  // Of each run the next one of the same length, found in one walk from the end.
  const partners: (number | undefined)[] = [];
  const last = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]?.length ?? 0;
    partners[i] = last.get(length);
    last.set(length, i);
  }
  const found: Range[] = [];
  for (let i = 0; i < runs.length; i++) {
    const partner = partners[i];
    const range = rangeOf(text, runs[i], partner === undefined ? undefined : runs[partner]);
    if (range === null) continue;
    found.push(range);
    i = partner ?? i;
  }
  return found;
}

/** What stands between two runs, if it is code. */
function rangeOf(text: string, open: Run | undefined, close: Run | undefined): Range | null {
  if (open === undefined || close === undefined) return null;
  const isBlock = open.length >= FENCE;
  // Some write a backtick for an apostrophe.
  const isApostrophe = /[A-Za-z\d]/.test(text[open.from - 1] ?? "");
  if (!isBlock && (isApostrophe || open.line !== close.line)) return null;
  const inner = text.slice(open.to, close.from);
  const code = isBlock ? blockOf(inner) : inlineOf(inner);
  return code === null ? null : { kind: isBlock ? "block" : "inline", from: open.from, to: close.to, code };
}

function blockOf(inner: string): string | null {
  if (inner.trim() === "") return null;
  const body = inner.replace(LANGUAGE, "");
  const code = (body.trim() === "" ? inner.replace(/^[ \t]*\r?\n/, "") : body).replace(LINE_END, "");
  return code.replaceAll("\r\n", "\n");
}

/** One blank at both ends lets code begin or end with a backtick. */
function inlineOf(inner: string): string | null {
  if (inner.trim() === "") return null;
  return inner.startsWith(" ") && inner.endsWith(" ") ? inner.slice(1, -1) : inner;
}
