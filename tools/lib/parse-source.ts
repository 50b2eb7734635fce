import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Node, parseSync, Visitor, type ParseResult, type VisitorObject } from "oxc-parser";

interface Source {
  /** Relative to the given root, with forward slashes. */
  path: string;
  text: string;
  program: ParseResult["program"];
  comments: ParseResult["comments"];
}

/** Reads and parses a TypeScript file. */
export function parseSource(root: string, file: string): Source {
  const text = readFileSync(file, "utf8");
  const { program, comments } = parseSync(file, text);
  return { path: relative(root, file).replaceAll("\\", "/"), text, program, comments };
}

/** Calls the visitor's functions for the nodes of a source. */
export function visit(source: Source, visitor: VisitorObject): void {
  new Visitor(visitor).visit(source.program);
}

/** `path:line` of an offset, in the form that editors understand. */
export function locationOf(source: Source, offset: number): string {
  return `${source.path}:${source.text.slice(0, offset).split("\n").length}`;
}

/** Whether the value of a node's property is a node itself. */
export function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}
