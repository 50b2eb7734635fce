import { createAccount, befriend } from "../src/api.ts";
import { stored } from "../src/attachments.ts";
import { completeBrowser, withoutArguments } from "../src/browsers.ts";
import { expect, test } from "../src/fixtures.ts";
import { Person } from "../src/person.ts";

const FAKE_DEVICE = "--use-fake-device-for-media-stream";
const FAKE_ANSWER = "--use-fake-ui-for-media-stream";

/** Presses the microphone, reads the sentence, and writes a text after it. */
async function expectSentence(lin: Person, sentence: string): Promise<void> {
  await lin.button("voice.record").click();
  await expect(lin.page.getByText(lin.t(sentence))).toBeVisible();
  await expect(lin.page.getByRole("timer")).toHaveCount(0);
  await expect(lin.composer()).toBeFocused();
  await lin.send(`after ${sentence}`);
  await lin.expectMessage(`after ${sentence}`);
}

test.describe("in a browser of its own", () => {
  for (const [name, left, sentence] of [
    ["without a microphone", [FAKE_DEVICE], "voice.noDevice"],
    ["whose question is not answered with yes", [FAKE_ANSWER], "voice.refused"],
  ] as const) {
    test(`E16 a browser ${name} says so, and texts are sent as before`, async ({
      playwright,
      server,
      friends,
      cast,
    }) => {
      const browser = await playwright.chromium.launch(withoutArguments(completeBrowser(), ...left));
      const lin = await Person.create(browser, server.url, cast.lin);
      await lin.openAndLogIn();
      await lin.openChat(cast.bo.nickName);
      await expectSentence(lin, sentence);
      await expect.poll(async () => (await stored(friends.lin)).length).toBe(1);
      expect(lin.console.unexpectedErrors()).toEqual([]);
      await browser.close();
    });
  }
});

test("E16 a page without https says so, and texts are sent as before", async ({ browser, server, cast }) => {
  const lin = await createAccount(server.url, cast.lin.userName, cast.lin.nickName);
  await befriend(lin, await createAccount(server.url, cast.bo.userName, cast.bo.nickName));
  const url = `http://parley.test:${new URL(server.url).port}`;
  const person = await Person.create(browser, url, cast.lin);
  // Chromium logs that it ignores this header over plain http.
  person.console.allow(/^The Cross-Origin-Opener-Policy header has been ignored/);
  await person.openAndLogIn();
  expect(await person.page.evaluate(() => window.isSecureContext)).toBe(false);
  await person.openChat(cast.bo.nickName);
  await expectSentence(person, "voice.insecure");
  await expect.poll(async () => (await stored(lin)).length).toBe(1);
  await person.context.close();
  expect(person.console.unexpectedErrors()).toEqual([]);
});
