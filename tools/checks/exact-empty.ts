import type { Node } from "oxc-parser";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { isNode, parseSource, locationOf, visit } from "../lib/parse-source.ts";

/** The empty objects in an expected value. Arguments of calls in it, such as `expect.objectContaining({})`, are left out. */
function emptyObjectsIn(node: Node): Node[] {
  if (node.type === "CallExpression") return [];
  if (node.type === "ObjectExpression" && node.properties.length === 0) return [node];
  return Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).flatMap((child) => (isNode(child) ? emptyObjectsIn(child) : [])),
  );
}

/** `toMatchObject` accepts any object where an empty one is expected, so it proves nothing. */
export const exactEmpty: Check = {
  name: "exact empty",
  async run(root) {
    const problems: string[] = [];
    for (const file of filesUnder(`${root}/packages`).concat(filesUnder(`${root}/tools`))) {
      if (!/\.[cm]?tsx?$/.test(file)) continue;
      const source = parseSource(root, file);
      visit(source, {
        CallExpression({ callee, arguments: [expected] }) {
          if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
          if (callee.property.name !== "toMatchObject" || expected === undefined) return;
          for (const { start } of emptyObjectsIn(expected)) {
            problems.push(`${locationOf(source, start)} matches any object with an empty one; use toEqual`);
          }
        },
      });
    }
    return problems;
  },
};
