import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { parseSource, locationOf, visit } from "../lib/parse-source.ts";

/** The core must get its time from outside. The linter cannot distinguish `new Date()`, which reads the clock, from `new Date(value)`. */
export const clock: Check = {
  name: "clock",
  async run(root) {
    const problems: string[] = [];
    for (const file of filesUnder(`${root}/packages/core/src`)) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      const source = parseSource(root, file);
      visit(source, {
        NewExpression({ callee, arguments: args, start }) {
          if (callee.type === "Identifier" && callee.name === "Date" && args.length === 0) {
            problems.push(
              `${locationOf(source, start)} reads the clock by new Date(); take the time from the input`,
            );
          }
        },
        CallExpression({ callee, start }) {
          if (callee.type === "Identifier" && callee.name === "Date") {
            problems.push(
              `${locationOf(source, start)} reads the clock by Date(); take the time from the input`,
            );
          }
        },
      });
    }
    return problems;
  },
};
