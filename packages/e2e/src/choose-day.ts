import { expect } from "@playwright/test";
import type { Person } from "./person.ts";

/** Chooses a day (YYYY-MM-DD) in the open calendar. The day must be in the shown month or before it. */
export async function chooseDay(person: Person, day: string): Promise<void> {
  const dayCell = person.page.locator(`[data-day="${day}"]`);
  await expect(person.page.getByRole("gridcell").first()).toBeVisible();
  const previousMonth = person.page.getByRole("button", { name: person.t("calendar.previousMonth") });
  while (!(await dayCell.isVisible())) await previousMonth.click();
  await dayCell.click();
}
