import { expect, type Locator } from "@playwright/test";
import type { Person } from "./person.ts";

/** For what needs a connection between two browsers. */
export const patient = expect.configure({ timeout: 20_000 });

/** The prompt of a call that rings. */
export const prompt = (person: Person): Locator => person.page.getByRole("alertdialog");

/** The dialog of the running call, or the small window of it. */
export const callWindow = (person: Person): Locator =>
  person.page
    .getByRole("dialog")
    .or(person.page.getByRole("region", { name: person.t("call.window"), exact: true }));

/** The picture of the other person. */
export const picture = (person: Person): Locator => callWindow(person).locator("video").first();

/** How long the call lasts. It shows once people are connected. */
export const timer = (person: Person): Locator => callWindow(person).getByText(/^\d\d:\d\d$/);

/** Calls somebody whose chat is open, and waits until it rings there. */
export async function call(from: Person, to: Person, mode: "voice" | "video" = "voice"): Promise<void> {
  await from.button(`call.${mode}`).first().click();
  await patient(prompt(to)).toBeVisible();
}

/** Answers the call that rings. */
export async function answer(person: Person): Promise<void> {
  await prompt(person)
    .getByRole("button", { name: person.t("call.accept"), exact: true })
    .click();
}

/** Calls, answers, and waits until both are connected. */
export async function connectCall(
  from: Person,
  to: Person,
  mode: "voice" | "video" = "voice",
): Promise<void> {
  await call(from, to, mode);
  await answer(to);
  for (const person of [from, to]) await patient(timer(person)).toBeVisible();
}

/** Does something, and expects sentences that people see for a moment only: they are looked for from before it is done. */
export async function expectSentences(
  act: () => Promise<void>,
  ...sentences: readonly (readonly [person: Person, sentence: string | RegExp])[]
): Promise<void> {
  const looks = sentences.map(([{ page }, sentence]) => patient(page.getByText(sentence)).toBeVisible());
  await Promise.all([...looks, act()]);
}

/** Ends the call by its key. */
export const hangUp = (person: Person): Promise<void> => person.page.keyboard.press("Control+Shift+H");
