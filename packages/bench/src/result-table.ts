import { isWithinLimit, type ResultRow } from "./benchmark.ts";

const HEADERS = ["figure", "product", "reference", "value", "limit", "aim", "holds"] as const;

/** Formats a value: 1.4 with "x" becomes `1.40 x`; counts and sizes have at most one decimal. */
export function quantity(value: number, unit: ResultRow["unit"]): string {
  if (!Number.isFinite(value)) return "none";
  const digits = unit === "x" ? value.toFixed(2) : String(Math.round(value * 10) / 10);
  return unit === "" ? digits : `${digits} ${unit}`;
}

function cells(row: ResultRow): string[] {
  return [
    row.what,
    row.product,
    row.reference,
    quantity(row.value, row.unit),
    `${row.bound} ${quantity(row.limit, row.unit)}`,
    row.aim === undefined ? "" : quantity(row.aim, row.unit),
    isWithinLimit(row) ? "yes" : "NO",
  ];
}

function widths(lines: readonly (readonly string[])[]): number[] {
  return HEADERS.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
}

function padded(line: readonly string[], width: readonly number[], between: string): string {
  return line.map((cell, column) => cell.padEnd(width[column] ?? 0)).join(between);
}

/** The table for a terminal. */
export function plainTable(rows: readonly ResultRow[]): string {
  const lines = [[...HEADERS], ...rows.map(cells)];
  const width = widths(lines);
  const rule = width.map((w) => "-".repeat(w));
  return [lines[0] ?? [], rule, ...lines.slice(1)]
    .map((line) => padded(line, width, "  ").trimEnd())
    .join("\n");
}

/** The table for a Markdown page. */
export function markdownTable(rows: readonly ResultRow[]): string {
  const lines = [[...HEADERS], ...rows.map((row) => cells(row).map((cell) => cell.replaceAll("|", "\\|")))];
  const width = widths(lines).map((w) => Math.max(w, 3));
  const rule = width.map((w) => "-".repeat(w));
  return [lines[0] ?? [], rule, ...lines.slice(1)]
    .map((line) => `| ${padded(line, width, " | ")} |`)
    .join("\n");
}
