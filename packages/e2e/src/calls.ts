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

/**
 * Does something, and expects sentences that people see for a moment only. Each page watches its own changes from before it is done, because
 * a look from outside every second can miss a sentence on a busy machine.
 */
export async function expectSentences(
  act: () => Promise<void>,
  ...sentences: readonly (readonly [person: Person, sentence: string])[]
): Promise<void> {
  const watches = await Promise.all(
    sentences.map(([{ page }, sentence]) => page.evaluateHandle(watchForSentence, sentence)),
  );
  await act();
  for (const [index, watch] of watches.entries()) {
    const isSeen = await watch.evaluate(({ seen }) => seen);
    expect(isSeen, `"${sentences[index]?.[1]}" is seen`).toBe(true);
  }
}

/** Runs in a page. `seen` becomes true once the page shows the sentence, and false if it did not within a minute. */
function watchForSentence(sentence: string): { seen: Promise<boolean> } {
  // Shown alone, a part of a sentence has a capital.
  const words = sentence.toLowerCase();
  const seen = new Promise<boolean>((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.body.innerText.toLowerCase().includes(words)) end(true);
    });
    const end = (isSeen: boolean) => {
      observer.disconnect();
      resolve(isSeen);
    };
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    setTimeout(end, 60_000, false);
  });
  return { seen };
}

/** Ends the call by its key. */
export const hangUp = (person: Person): Promise<void> => person.page.keyboard.press("Control+Shift+H");
