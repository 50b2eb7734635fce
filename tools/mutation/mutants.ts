import type { Node } from "oxc-parser";
import { parseSync } from "oxc-parser";
import { isNode } from "../lib/parse-source.ts";

/** One small fault: the text from `start` to `end` of a file is replaced. */
export interface Mutant {
  /** Starts at 1. */
  id: number;
  /** Relative to the root, with forward slashes. */
  file: string;
  line: number;
  /** The name of the top-level declaration that contains it. */
  symbol: string;
  /** `original → replacement`, on one line. */
  change: string;
  start: number;
  end: number;
  replacement: string;
  /** The surrounding expression or statement that is switched as a whole. */
  around: { start: number; end: number; isStatement: boolean };
}

type Found = Omit<Mutant, "id" | "file" | "line" | "symbol" | "change">;
type Fields = Record<string, unknown>;

const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
};
const ARITHMETIC: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" };
/** Method calls in a chain that can be left out. */
const CHAIN_STEPS = /^(?:filter|sort|slice|reverse|trim|toLowerCase|check|flat)$/;
/** Keys of texts for readers, which do not change the behaviour. */
const READER_TEXT_KEYS = /^(?:summary|description|error|log)$/;

/** All mutants of a source, in the order of the text. */
export function findMutants(file: string, text: string): Omit<Mutant, "id">[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: Found[] = [];
  visitNode(program, { found, text, depth: 0, isTable: false });
  const symbols = program.body.map(({ start, end }) => ({
    start,
    end,
    name: declaredName(text.slice(start, end)),
  }));
  return found
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((mutant) => ({
      ...mutant,
      file,
      line: text.slice(0, mutant.start).split("\n").length,
      symbol: symbols.find(({ start, end }) => start <= mutant.start && mutant.end <= end)?.name ?? "",
      change: `${oneLine(text.slice(mutant.start, mutant.end))} → ${oneLine(mutant.replacement) || "nothing"}`,
    }));
}

function declaredName(statement: string): string {
  return /^(?:export )?(?:async )?(?:const|let|function|class) (\w+)/.exec(statement)?.[1] ?? "";
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 90 ? line : `${line.slice(0, 60)} … ${line.slice(-25)}`;
}

interface Context {
  found: Found[];
  text: string;
  /** The number of surrounding functions. */
  depth: number;
  /** Inside an object or array at the top level of a module. Strings of such tables are mutated. */
  isTable: boolean;
}

function visitNode(node: Node, context: Context): void {
  // Skip types and other code for the compiler only.
  if (node.type.startsWith("TS") && !("expression" in node)) return;
  if (node.type === "ImportDeclaration" || isUnreachable(node)) return;
  addMutants(node, context);
  const isFunction = /Function/.test(node.type);
  const isTable = context.isTable || (context.depth === 0 && /^(?:Object|Array)Expression$/.test(node.type));
  const inner = { ...context, depth: context.depth + (isFunction ? 1 : 0), isTable: isTable && !isFunction };
  for (const [key, value] of Object.entries(node as unknown as Fields)) {
    if (isSkippedProperty(node, key)) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visitNode(child, inner);
  }
}

/** Whether a property of a node is not mutated: types, names and keys, import paths, log texts and texts for readers. */
function isSkippedProperty(node: Node, key: string): boolean {
  if (key === "typeAnnotation" || key === "returnType" || key === "typeParameters" || key === "typeArguments")
    return true;
  if (node.type === "Property") {
    const isReaderText = node.key.type === "Identifier" && READER_TEXT_KEYS.test(node.key.name);
    return (key === "key" && !node.computed) || isReaderText;
  }
  if (node.type === "CallExpression" && key === "arguments") return isLog(node);
  return /^(?:Export|Import)/.test(node.type) && key === "source";
}

function isLog(node: Node): boolean {
  const callee = node.type === "CallExpression" ? node.callee : node;
  return callee.type === "MemberExpression" && /(?:^|\.)log$/.test(nameOf(callee.object));
}

function nameOf(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.property.type !== "Identifier") return "";
  return `${nameOf(node.object)}.${node.property.name}`;
}

/** `return x satisfies never`: the compiler has proved that this code is never reached. */
function isUnreachable(node: Node): boolean {
  return node.type === "TSSatisfiesExpression" && node.typeAnnotation.type === "TSNeverKeyword";
}

function addMutants(node: Node, { found, text, depth, isTable }: Context): void {
  const add = (part: { start: number; end: number }, replacement: string, isStatement = false): void => {
    const { start, end } = node;
    found.push({ start: part.start, end: part.end, replacement, around: { start, end, isStatement } });
  };
  const textOf = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
  switch (node.type) {
    case "BinaryExpression": {
      const { left, right, operator } = node;
      const operators = COMPARISONS[operator] ?? [ARITHMETIC[operator] ?? []].flat();
      if (operator === "+" && [left, right].some(isText)) return;
      for (const other of operators) add(node, `${textOf(left)} ${other} ${textOf(right)}`);
      return;
    }
    case "LogicalExpression": {
      const { left, right, operator } = node;
      if (operator === "??") return add(node, textOf(left));
      return add(node, `(${textOf(left)}) ${operator === "&&" ? "||" : "&&"} (${textOf(right)})`);
    }
    case "UnaryExpression":
      if (node.operator === "!") add(node, textOf(node.argument));
      return;
    case "Literal":
      if (typeof node.value === "boolean") add(node, String(!node.value));
      else if (typeof node.value === "number") add(node, String(node.value + 1));
      else if (typeof node.value === "string" && depth === 0 && isTable) add(node, '"mutant"');
      return;
    case "IfStatement":
    case "ConditionalExpression": {
      const { test } = node;
      // Mutants of the comparison or of the negation already negate the condition.
      if (/^(?:Binary|Unary)Expression$/.test(test.type)) return;
      const { start, end } = test;
      const around = { start, end, isStatement: false };
      found.push({ start, end, replacement: `!(${textOf(test)})`, around });
      return;
    }
    case "ReturnStatement":
      if (node.argument === null) add(node, "", true);
      else if (!isUnreachable(node.argument)) {
        const { start, end } = node.argument;
        if (isUndefined(node.argument)) return;
        found.push({ start, end, replacement: "undefined", around: { start, end, isStatement: false } });
      }
      return;
    case "ThrowStatement":
      return add(node, "", true);
    case "ExpressionStatement":
      if (isCall(node.expression) && !isLog(unwrap(node.expression))) add(node, "", true);
      return;
    case "ChainExpression":
      return;
    case "CallExpression": {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      if (CHAIN_STEPS.test(callee.property.name) && !callee.optional) add(node, textOf(callee.object));
      return;
    }
    case "MemberExpression":
      if (node.optional) found.push(withoutOptional(node, text));
      return;
    default:
  }
}

/** Mutates `a?.b` to `a.b`. A part of a chain is not an expression that can be switched, so the object is replaced. */
function withoutOptional(node: Extract<Node, { type: "MemberExpression" }>, text: string): Found {
  const { start, end } = node.object;
  const object = text.slice(start, end);
  // The replacement throws for null and undefined, as `a.b` does.
  const replacement = `((it) => { if (it == null) throw new TypeError("nothing there"); return it; })(${object})`;
  return { start, end, replacement, around: { start, end, isStatement: false } };
}

function isText(node: Node): boolean {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

function isUndefined(node: Node): boolean {
  return node.type === "Identifier" && node.name === "undefined";
}

function unwrap(node: Node): Node {
  if (node.type === "AwaitExpression") return unwrap(node.argument);
  if (node.type === "UnaryExpression" && node.operator === "void") return unwrap(node.argument);
  return node.type === "ChainExpression" ? unwrap(node.expression) : node;
}

function isCall(node: Node): boolean {
  return unwrap(node).type === "CallExpression";
}

/** The source with all of these mutants, each behind a switch. Loops check the time, so that loops that a mutant makes endless end. */
export function withSwitches(file: string, text: string, mutants: readonly Mutant[]): string {
  const groups = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const key = `${mutant.around.start} ${mutant.around.end}`;
    groups.set(key, [...(groups.get(key) ?? []), mutant]);
  }
  const ranges: Range[] = [...groups.values()].map((group) => ({ ...rangeOf(group), mutants: group }));
  for (const { start, end } of loopBodies(parseSync(file, text).program))
    ranges.push({ start, end, isStatement: true, mutants: [] });
  // Outer ranges come before inner ones. Of two with the same position, the statement comes first.
  ranges.sort((a, b) => a.start - b.start || b.end - a.end || Number(b.isStatement) - Number(a.isStatement));
  return print(text, 0, text.length, ranges);
}

interface Range {
  start: number;
  end: number;
  isStatement: boolean;
  /** Empty for the body of a loop. */
  mutants: readonly Mutant[];
}

function rangeOf([first]: readonly Mutant[]): { start: number; end: number; isStatement: boolean } {
  if (first === undefined) throw new Error("a group of mutants is empty");
  return first.around;
}

function print(text: string, start: number, end: number, ranges: readonly Range[]): string {
  let printed = "";
  let at = start;
  for (let i = 0; i < ranges.length;) {
    const range = ranges[i];
    if (range === undefined) break;
    let next = i + 1;
    while ((ranges[next]?.start ?? Infinity) < range.end) next++;
    printed += text.slice(at, range.start);
    printed += wrap(text, range, print(text, range.start, range.end, ranges.slice(i + 1, next)));
    at = range.end;
    i = next;
  }
  return printed + text.slice(at, end);
}

function wrap(text: string, { start, end, isStatement, mutants }: Range, inner: string): string {
  if (mutants.length === 0) return `{ __turn(); ${inner} }`;
  if (isStatement) {
    const isActive = mutants.map(({ id }) => `__mutant(${id})`).join(" || ");
    // The outer braces keep an `else` that follows with its own `if`.
    return `{ if (!(${isActive})) { ${inner} } }`;
  }
  const choices = mutants.map((mutant) => {
    const changed = text.slice(start, mutant.start) + mutant.replacement + text.slice(mutant.end, end);
    return `__mutant(${mutant.id}) ? (${changed}) : `;
  });
  return `(${choices.join("")}(${inner}))`;
}

function loopBodies(node: Node): Node[] {
  const bodies =
    /^(?:For|While|DoWhile|ForOf|ForIn)Statement$/.test(node.type) && "body" in node ? [node.body] : [];
  const inner = Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).flatMap((child) => (isNode(child) ? loopBodies(child) : [])),
  );
  return [...bodies.flatMap((body) => (isNode(body) ? [body] : [])), ...inner];
}
