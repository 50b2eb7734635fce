import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "@playwright/test";
import type { Person } from "./person.ts";

export const WIDTHS = [
  ["1440 px", { width: 1440, height: 900 }],
  ["390 px", { width: 390, height: 844 }],
] as const;

/** All that a theme can change: it is colours, whatever else is on the page. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** No violation that keeps people out, on the screen as it is now, in either theme. */
export async function expectAccessible(person: Person, screen: string): Promise<void> {
  await expectNoSeriousViolations(person, screen, "light");
  await expectNoSeriousViolations(person, screen, "dark", COLOUR_RULES);
}

/** These rules; all of them when left out. */
async function expectNoSeriousViolations(
  { page }: Person,
  screen: string,
  colorScheme: "light" | "dark",
  rules?: string[],
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Our pages have no frames: all runs in the page itself, and none is opened just to add up.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  expect.soft(grave, `${screen}, ${colorScheme}`).toEqual([]);
}
