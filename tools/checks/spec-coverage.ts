import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { titlesOf } from "../lib/test-titles.ts";

const RULE_LINE = /^- \*\*([A-Z]+\d+[a-z]?)\*\* \S/;
const RULE_ID = /^[A-Z]+\d+[a-z]?$/;
const PURE_MODEL = "packages/core/src/model/";

/** The rule ids of `docs/spec` with their locations. */
function rulesUnder(root: string, problems: string[]): Map<string, string> {
  const rules = new Map<string, string>();
  for (const file of filesUnder(`${root}/docs/spec`)) {
    if (!file.endsWith(".md")) continue;
    const path = relative(root, file).replaceAll("\\", "/");
    for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
      const id = RULE_LINE.exec(line)?.[1];
      if (id === undefined) continue;
      const where = `${path}:${index + 1}`;
      const first = rules.get(id);
      if (first !== undefined)
        problems.push(
          `${where} defines rule ${id} again; it is already at ${first}: give one of them a new number`,
        );
      rules.set(id, where);
    }
  }
  return rules;
}

/** The rule ids at the beginning of a title: `"M7 M8 an older id"` names two. */
function idsOf(title: string): string[] {
  const words = title.split(/[\s,:]+/);
  const end = words.findIndex((word) => !RULE_ID.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** Every rule has a test that names it; every test of the pure model names a rule; no test names a rule that does not exist. */
export const specCoverage: Check = {
  name: "spec coverage",
  async run(root) {
    const problems: string[] = [];
    const rules = rulesUnder(root, problems);
    if (rules.size === 0)
      problems.push("docs/spec contains no rule; a rule is a line like: - **M1** Messages stand by id.");
    const areas = new Set([...rules.keys()].map((id) => id.replace(/\d.*$/, "")));
    const tested = new Set<string>();
    const files = filesUnder(`${root}/packages`).filter((file) => /\.(?:test|spec)\.tsx?$/.test(file));
    for (const test of files.flatMap((file) => titlesOf(root, file))) {
      const ids = idsOf(test.title);
      const isOfPureModel = test.where.startsWith(PURE_MODEL);
      for (const id of ids) {
        tested.add(id);
        const isRuleId = isOfPureModel || areas.has(id.replace(/\d.*$/, ""));
        if (isRuleId && !rules.has(id))
          problems.push(
            `${test.where} names rule ${id}, which docs/spec does not have; mend the title, or write the rule`,
          );
      }
      const namesRule = ids.length > 0 || test.groups.some((group) => idsOf(group).length > 0);
      if (isOfPureModel && !test.isGroup && !namesRule)
        problems.push(
          `${test.where} names no rule: "${test.title}"; begin the title with the id of the rule that it proves`,
        );
    }
    for (const [id, where] of rules)
      if (!tested.has(id))
        problems.push(
          `${where} rule ${id} has no test; begin the title of the test that proves it with ${id}`,
        );
    return problems;
  },
};
