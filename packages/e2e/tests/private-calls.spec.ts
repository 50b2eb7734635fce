import { befriend, createAccount } from "../src/api.ts";
import { completeBrowser, withoutArguments } from "../src/browsers.ts";
import {
  answer,
  call,
  callWindow,
  connectCall,
  expectSentences,
  hangUp,
  patient,
  picture,
  prompt,
  timer,
} from "../src/calls.ts";
import { countMedia, hears, loudness, pictureMotion } from "../src/call-media.ts";
import { expect, test } from "../src/fixtures.ts";
import { Person } from "../src/person.ts";

test("UI19 a voice call rings, is heard at both sides, counts its time, and goes on in a small window", async ({
  chatting: { lin, bo },
}) => {
  await call(lin, bo);
  await expect(prompt(bo)).toContainText(bo.t("call.invitesVoice"));
  // A key that was meant for something else does not answer.
  await bo.page.keyboard.press("Enter");
  await answer(bo);
  for (const person of [lin, bo]) await patient(timer(person)).toBeVisible();
  for (const person of [lin, bo]) await patient.poll(() => hears(person.page, 1)).toBe(true);
  await patient(callWindow(bo).getByText(/^(?!00:0[01])\d\d:\d\d$/)).toBeVisible();

  await lin.page.keyboard.press("m");
  await expect(bo.text("call.peerMuted", { name: lin.options.nickName })).toBeVisible();
  await patient.poll(async () => Math.max(...(await loudness(bo.page, 1_500)))).toBeLessThan(60);

  await bo.button("call.minimise").click();
  // It keeps off the panel beside the conversation.
  await bo.button("chat.info").click();
  const panel = await bo.page.getByRole("complementary").boundingBox();
  const small = await callWindow(bo).boundingBox();
  expect((small?.x ?? 0) + (small?.width ?? 0)).toBeLessThanOrEqual(panel?.x ?? 0);
  await bo.button("chat.info").click();
  await bo.send("while we talk");
  await lin.expectMessage("while we talk");
  await expect(callWindow(bo)).toBeVisible();
  await bo.button("call.restore").click();
  await expectSentences(() => hangUp(bo), [lin, lin.t("call.end.hungUp")]);
  for (const person of [lin, bo]) await expect(callWindow(person)).toHaveCount(0);
});

test("in a small window, toasts stand below the prompt of a call, so that they do not cover the caller", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const lin = await openSignedIn(cast.lin);
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 800, height: 700 } });
  await lin.openChat(cast.bo.nickName);
  await lin.send("copy this");
  await bo.openChat(cast.lin.nickName);
  await bo.runMessageAction("copy this", "act.copy");
  // The region of the toasts stays after its first toast has gone.
  const top = async () => (await bo.page.locator("[data-toasts]").boundingBox())?.y ?? 0;
  await expect.poll(top).toBe(16);
  await call(lin, bo);
  await expect
    .poll(async () => {
      const box = await prompt(bo).boundingBox();
      return (await top()) - ((box?.y ?? 0) + (box?.height ?? 0));
    })
    .toBe(8);
  await hangUp(lin);
  await expect.poll(top).toBe(16);
});

test("PC57 on a phone a call that rings takes the whole window above an open dialog, Esc answers nothing, and a touch answers it", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const lin = await openSignedIn(cast.lin);
  const viewport = { width: 390, height: 844 };
  const bo = await openSignedIn({ ...cast.bo, viewport, isTouch: true });
  await lin.openChat(cast.bo.nickName);
  await bo.link("nav.friends").tap();
  await bo.addFriendButton().tap();
  await expect(bo.dialog()).toBeVisible();
  await call(lin, bo, "video");
  await bo.page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(() => prompt(bo).boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
  await expect(prompt(bo)).toHaveAccessibleName(cast.lin.nickName);
  await expect(prompt(bo)).toHaveAccessibleDescription(bo.t("call.invitesVideo"));
  for (const id of ["call.reject", "call.accept"]) {
    const button = prompt(bo).getByRole("button", { name: bo.t(id), exact: true });
    await expect(button).toBeInViewport({ ratio: 1 });
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), id).toBeGreaterThanOrEqual(64);
  }
  const hasFocus = () => prompt(bo).evaluate((box) => box.contains(document.activeElement));
  expect(await hasFocus()).toBe(true);
  // Around all buttons, and never behind it.
  for (let presses = 0; presses < 6; presses++) {
    await bo.page.keyboard.press("Tab");
    expect(await hasFocus()).toBe(true);
  }
  await bo.page.keyboard.press("Escape");
  await expect(prompt(bo)).toBeVisible();
  await prompt(bo)
    .getByRole("button", { name: bo.t("call.accept"), exact: true })
    .tap();
  for (const person of [lin, bo]) await patient(timer(person)).toBeVisible();
  await hangUp(lin);
  await expect(callWindow(bo)).toHaveCount(0);
});

test("a video call shows moving pictures, frees a camera that is off, shares the screen, and leaves nothing open", async ({
  friends,
  cast,
  openBrowser,
}) => {
  void friends;
  const [lin, bo] = [await openBrowser(cast.lin), await openBrowser(cast.bo)];
  const open = [await countMedia(lin.page), await countMedia(bo.page)] as const;
  for (const person of [lin, bo]) await person.openAndLogIn();
  await lin.openChat(cast.bo.nickName);
  await connectCall(lin, bo, "video");
  for (const person of [lin, bo])
    await patient.poll(() => pictureMotion(picture(person))).toBeGreaterThan(0.01);
  expect(await open[0]()).toEqual({ tracks: 2, connections: 1 });

  await lin.page.keyboard.press("v");
  await expect(callWindow(bo).locator("video")).toHaveCount(1);
  await expect.poll(async () => (await open[0]()).tracks).toBe(1);
  await lin.page.keyboard.press("v");
  await patient.poll(() => pictureMotion(picture(bo))).toBeGreaterThan(0.01);

  await lin.page.mouse.move(400, 300);
  await lin.button("call.screenOn").click();
  await expect.poll(async () => (await open[0]()).tracks).toBe(3);
  await patient
    .poll(() => picture(bo).evaluate((video: HTMLVideoElement) => video.videoWidth))
    .toBeGreaterThan(700);
  await lin.page.mouse.move(500, 300);
  await lin.button("call.screenOff").click();
  await expect.poll(async () => (await open[0]()).tracks).toBe(2);

  await expectSentences(() => hangUp(lin), [bo, bo.t("call.end.hungUp")]);
  for (const count of open) await expect.poll(count).toEqual({ tracks: 0, connections: 0 });
});

test("PC45 picture in picture that the browser refuses is said; it outlasts the change to a small window, and ends with the picture or the call", async ({
  chatting: { lin, bo },
}) => {
  await connectCall(lin, bo, "video");
  await patient.poll(() => pictureMotion(picture(bo))).toBeGreaterThan(0.01);
  const isShown = () => bo.page.evaluate(() => document.pictureInPictureElement !== null);
  await bo.page.mouse.move(400, 300);
  bo.console.allow(/refused picture in picture: .*not for this page/);
  await bo.page.evaluate(() => {
    const { prototype } = HTMLVideoElement;
    const { requestPictureInPicture } = prototype;
    prototype.requestPictureInPicture = () => {
      prototype.requestPictureInPicture = requestPictureInPicture;
      return Promise.reject(new DOMException("not for this page", "NotAllowedError"));
    };
  });
  await expectSentences(
    () => bo.button("call.pictureInPicture").click(),
    [bo, bo.t("call.pictureInPictureRefused")],
  );
  await bo.button("call.pictureInPicture").click();
  await patient.poll(isShown).toBe(true);
  await bo.page.keyboard.press("Escape");
  await expect(bo.page.getByRole("dialog")).toHaveCount(0);
  await expect(bo.button("call.leavePictureInPicture")).toBeVisible();
  expect(await isShown()).toBe(true);

  // The window of the browser has a button that closes it.
  await bo.page.evaluate(() => document.exitPictureInPicture());
  await bo.button("call.pictureInPicture").click();
  await patient.poll(isShown).toBe(true);
  await bo.button("call.leavePictureInPicture").click();
  await expect.poll(isShown).toBe(false);

  await bo.button("call.pictureInPicture").click();
  await patient.poll(isShown).toBe(true);
  await lin.page.keyboard.press("v");
  await expect.poll(isShown).toBe(false);
  await lin.page.keyboard.press("v");
  await bo.button("call.pictureInPicture").click();
  await patient.poll(isShown).toBe(true);
  await hangUp(lin);
  await expect.poll(isShown).toBe(false);
});

test("a call that is rejected, cancelled, or taken on another page ends everywhere with its words", async ({
  chatting: { lin, bo },
}) => {
  await call(lin, bo);
  const reject = (person: Person) =>
    prompt(person)
      .getByRole("button", { name: person.t("call.reject"), exact: true })
      .click();
  await expectSentences(() => reject(bo), [lin, lin.t("call.end.rejected")]);
  await expect(prompt(bo)).toHaveCount(0);

  await call(lin, bo);
  await expectSentences(
    () => hangUp(lin),
    [lin, lin.t("call.end.cancelled")],
    [bo, bo.t("call.end.cancelledByOther")],
  );

  // By the keyboard, above a dialog that keeps the focus and hides everything else from screen readers.
  await bo.openSettings("privacy");
  await call(lin, bo);
  await expect(prompt(bo)).toBeFocused();
  await bo.page.keyboard.press("Tab");
  await expectSentences(() => bo.page.keyboard.press("Enter"), [lin, lin.t("call.end.rejected")]);
  await expect(prompt(bo)).toHaveCount(0);
  await expect(bo.page.getByRole("tab", { name: bo.t("settings.privacy"), exact: true })).toBeFocused();
  await bo.page.keyboard.press("Escape");
  await expect(bo.page.getByRole("dialog")).toHaveCount(0);

  const tab = await bo.duplicate();
  await tab.expectHome();
  await call(lin, bo);
  await patient(prompt(tab)).toBeVisible();
  await expectSentences(() => reject(tab), [bo, bo.t("call.end.rejectedElsewhere")]);

  await call(lin, bo);
  // A page that is loaded again rings again.
  await tab.page.reload();
  await patient(prompt(tab)).toBeVisible();
  await expectSentences(() => answer(tab), [bo, bo.t("call.end.answeredElsewhere")]);
  await patient(timer(tab)).toBeVisible();
  await expect(prompt(bo)).toHaveCount(0);
  // A page that is closed hangs up.
  await expectSentences(() => tab.page.close(), [lin, lin.t("call.end.hungUp")]);
});

for (const [name, left, problem] of [
  ["without a microphone", "--use-fake-device-for-media-stream", "missing"],
  ["in which the microphone is refused", "--use-fake-ui-for-media-stream", "denied"],
] as const) {
  test(`a browser ${name} says so and how to mend it, and does not ring`, async ({
    playwright,
    server,
    friends,
    cast,
  }) => {
    void friends;
    const browser = await playwright.chromium.launch(withoutArguments(completeBrowser(), left));
    const lin = await Person.create(browser, server.url, cast.lin);
    await lin.openAndLogIn();
    await lin.openChat(cast.bo.nickName);
    await lin.button("call.voice").first().click();
    await expect(lin.page.getByText(lin.t("call.microphoneFailed"))).toBeVisible();
    await expect(lin.page.getByText(lin.t(`call.problem.${problem}`))).toBeVisible();
    await expect(callWindow(lin)).toHaveCount(0);
    expect(lin.console.unexpectedErrors()).toEqual([]);
    await browser.close();
  });
}

test("a page without https says why it cannot call", async ({ browser, server, cast }) => {
  const lin = await createAccount(server.url, cast.lin.userName, cast.lin.nickName);
  await befriend(lin, await createAccount(server.url, cast.bo.userName, cast.bo.nickName));
  const url = `http://parley.test:${new URL(server.url).port}`;
  const person = await Person.create(browser, url, cast.lin);
  // Chromium logs that it ignores this header over plain http.
  person.console.allow(/^The Cross-Origin-Opener-Policy header has been ignored/);
  await person.openAndLogIn();
  await person.openChat(cast.bo.nickName);
  await person.button("call.voice").first().click();
  await expect(person.page.getByText(person.t("call.end.initFailed"))).toBeVisible();
  await person.context.close();
});
