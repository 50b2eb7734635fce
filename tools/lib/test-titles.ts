import type { Expression, Node } from "oxc-parser";
import { isNode, parseSource, locationOf } from "./parse-source.ts";

interface TestTitle {
  /** The text of the title up to the first inserted value. */
  title: string;
  where: string;
  isGroup: boolean;
  /** Titles of the surrounding groups, outermost first. */
  groups: string[];
}

/** The name of the called function (`test`, `it` or `describe`), also in `test.each([...])`, `describe.skipIf(x)` or `test.for(rows)`. */
function runnerName(callee: Expression): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "MemberExpression") return runnerName(callee.object);
  if (callee.type === "CallExpression") return runnerName(callee.callee);
  return undefined;
}

function literalStart(node: Node | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral") return node.quasis[0]?.value.cooked ?? "";
  return undefined;
}

/** The titles of a test file with their groups. */
export function titlesOf(root: string, file: string): TestTitle[] {
  const source = parseSource(root, file);
  const titles: TestTitle[] = [];
  const visitNode = (node: Node, groups: string[]): void => {
    let inner = groups;
    if (node.type === "CallExpression") {
      const runner = runnerName(node.callee);
      const isGroup =
        runner === "describe" || (runner === "test" && source.text.startsWith("test.describe", node.start));
      const title = literalStart(node.arguments[0]);
      const hasBody = node.arguments.length > 1;
      if (hasBody && title !== undefined && (isGroup || runner === "test" || runner === "it")) {
        titles.push({ title, where: locationOf(source, node.start), isGroup, groups });
        if (isGroup) inner = [...groups, title];
      }
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === "type") continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visitNode(child, inner);
    }
  };
  visitNode(source.program, []);
  return titles;
}
