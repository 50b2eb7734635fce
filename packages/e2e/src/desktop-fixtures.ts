import { type DesktopOptions, useFakeDesktop } from "./desktop-bridge.ts";
import { expect, test as base } from "./fixtures.ts";
import type { Person, PersonOptions } from "./person.ts";

export interface DesktopFixtures {
  /** Opens the desktop application of a fresh device at the login screen. The server of the test is the one to type. */
  openDesktop(person: PersonOptions, options?: DesktopOptions): Promise<Person>;
}

/** The `test` function of the web client in the desktop application. */
export const test = base.extend<DesktopFixtures>({
  openDesktop: async ({ openBrowser }, use) => {
    await use(async (options, desktop) => {
      const person = await openBrowser(options);
      await useFakeDesktop(person.context, desktop);
      await person.open();
      await expect(person.button("login.submit")).toBeVisible();
      return person;
    });
  },
});
export { expect };

/** Types the address of the test's server on a device that knows none yet, and logs in. */
export async function logInFirst(person: Person): Promise<void> {
  await person.byLabel("server.address").fill(person.url);
  await person.logIn();
}

/** Takes the focus from the page until it is loaded again. */
export async function beAway({ page }: Person): Promise<void> {
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
}
