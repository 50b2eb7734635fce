import { expect } from "@playwright/test";
import axe from "axe-core";
import type { Person } from "./person.ts";

/** Window sizes of a desktop and a phone, with a name for test titles. */
export const WIDTHS = [
  ["1440 px", { width: 1440, height: 900 }],
  ["390 px", { width: 390, height: 844 }],
] as const;

/** The rules about colours: the only ones that a theme can break. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** The weights of findings that matter most. */
const SERIOUS: readonly unknown[] = ["serious", "critical"];

/** Checks that axe finds nothing on the current screen in both themes: no serious finding, or none of any weight. */
export async function expectAccessible(
  person: Person,
  screen: string,
  weights: "serious" | "all" = "serious",
): Promise<void> {
  await expectNoViolations(person, screen, weights, "light");
  await expectNoViolations(person, screen, weights, "dark", COLOUR_RULES);
}

/** Checks the given rules, or all rules if none are given. */
async function expectNoViolations(
  { page }: Person,
  screen: string,
  weights: "serious" | "all",
  colorScheme: "light" | "dark",
  rules?: string[],
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Its source has half a megabyte, so a page gets it once.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    // Selectors of what passes are not needed, and take longer than the rules.
    resultTypes: ["violations"],
    iframes: false,
    preload: false,
    ...(rules && { runOnly: { type: "rule", values: rules } }),
  };
  const violations = await page.evaluate(async (given) => {
    const results = await axe.run(document, given);
    return results.violations;
  }, options);
  const found = violations
    .filter(({ impact }) => weights === "all" || SERIOUS.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  expect.soft(found, `${screen}, ${colorScheme}`).toEqual([]);
}
