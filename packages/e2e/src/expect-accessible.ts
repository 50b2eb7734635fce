import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "@playwright/test";
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

/** Checks that axe finds nothing on the current screen in both themes or the light one: no serious finding, or none of any weight. */
export async function expectAccessible(
  person: Person,
  screen: string,
  weights: "serious" | "all" = "serious",
  themes: "both" | "light" = "both",
): Promise<void> {
  await expectNoViolations(person, screen, weights, "light");
  if (themes === "both") await expectNoViolations(person, screen, weights, "dark", COLOUR_RULES);
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
  // Our pages have no frames. The legacy mode does not open another page to combine the results.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const found = violations
    .filter(({ impact }) => weights === "all" || SERIOUS.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  expect.soft(found, `${screen}, ${colorScheme}`).toEqual([]);
}
