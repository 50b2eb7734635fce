import { pictureMotion } from "../src/call-media.ts";
import {
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
import { desktopInputs, tellPage } from "../src/desktop-bridge.ts";
import { beAway, expect, logInFirst, test } from "../src/desktop-fixtures.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { befriend, createAccount } from "../src/api.ts";
import { createGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";
import { createStripes } from "../src/png.ts";
import { takePictures } from "../src/shots.ts";

/** The notification of the call that rings. */
async function ringing(person: Person, count = 1) {
  await patient.poll(() => desktopInputs(person.page, "showNotification")).toHaveLength(count);
  const notification = (await desktopInputs(person.page, "showNotification")).at(-1);
  if (notification === undefined) throw new Error("there is no notification");
  return notification;
}

test("DT14 a call is accepted with its camera, or rejected, by the buttons of its notification", async ({
  friends: _,
  cast,
  openDesktop,
  openSignedIn,
}) => {
  const [lin, bo] = [await openSignedIn(cast.lin), await openDesktop(cast.bo)];
  await beAway(bo);
  await logInFirst(bo);
  await lin.openChat(cast.bo.nickName);

  await call(lin, bo, "video");
  const first = await ringing(bo);
  expect(first).toMatchObject({
    body: bo.t("call.ringsFrom", { name: cast.lin.nickName }),
    isLasting: true,
    actions: [
      { action: "accept", label: bo.t("call.accept") },
      { action: "reject", label: bo.t("call.reject") },
    ],
  });
  await tellPage(bo.page, "notificationActed", { tag: first.tag, action: "accept" });
  for (const person of [lin, bo]) await patient(timer(person)).toBeVisible();
  for (const person of [lin, bo])
    await patient.poll(() => pictureMotion(picture(person))).toBeGreaterThan(0.01);
  await hangUp(lin);
  await expect(callWindow(bo)).toHaveCount(0);
  await expect.poll(() => desktopInputs(bo.page, "closeNotification")).toEqual([first.tag]);

  await call(lin, bo);
  const second = await ringing(bo, 2);
  await expectSentences(
    () => tellPage(bo.page, "notificationActed", { tag: second.tag, action: "reject" }),
    [lin, lin.t("call.end.rejected")],
  );
  await expect(prompt(bo)).toHaveCount(0);

  // The button of a notification whose call is over does nothing to the next one.
  await call(lin, bo);
  const third = await ringing(bo, 3);
  await hangUp(lin);
  await expect(prompt(bo)).toHaveCount(0);
  await tellPage(bo.page, "notificationActed", { tag: third.tag, action: "accept" });
  await expect(callWindow(bo)).toHaveCount(0);
});

test("DT14 the call of a group is accepted by the button of its notification", async ({
  friends,
  cast,
  openDesktop,
  openSignedIn,
  server,
}) => {
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(friends.lin, mei);
  const group = await createGroup(friends.lin, `三人行 ${cast.lin.userName}`, [friends.bo, mei]);
  const [lin, bo] = [await openSignedIn(cast.lin), await openDesktop(cast.bo)];
  await beAway(bo);
  await logInFirst(bo);
  await lin.openChat(group.name);
  await lin.button("groupCall.start").click();
  const members = lin.page.getByRole("dialog", { name: lin.t("groups.pick.call") });
  await members.getByRole("option", { name: cast.bo.nickName }).click();
  await members.getByRole("button", { name: lin.t("groups.confirm.call", { count: 1 }) }).click();
  const { tag, body } = await ringing(bo);
  expect(body).toBe(bo.t("call.ringsFrom", { name: group.name }));
  await tellPage(bo.page, "notificationActed", { tag, action: "accept" });
  for (const person of [lin, bo]) await patient(timer(person)).toBeVisible();
});

/** Makes `getDisplayMedia` ask as the main process does: it goes on when the page has chosen, and fails when it chose nothing. */
async function askWhichScreen(person: Person, thumbnail: Buffer): Promise<void> {
  await person.page.evaluate((base64) => {
    interface Fake {
      requests: { name: string; input: { requestId: number; sourceId: string | null } }[];
      tell(name: string, content: unknown): void;
    }
    const fake = (window as unknown as { parleyDesktop: Fake }).parleyDesktop;
    const open = navigator.mediaDevices.getDisplayMedia.bind(navigator.mediaDevices);
    const png = () => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    let lastId = 0;
    navigator.mediaDevices.getDisplayMedia = async (options) => {
      const requestId = ++lastId;
      fake.tell("screenRequested", {
        requestId,
        sources: [
          { id: "screen:1", name: "Screen 1", isScreen: true, thumbnail: png() },
          { id: "screen:2", name: "Screen 2", isScreen: true, thumbnail: png() },
          {
            id: "window:7",
            name: "Annual report, final version 3 — Spreadsheet",
            isScreen: false,
            thumbnail: png(),
          },
          { id: "window:8", name: "", isScreen: false, thumbnail: new Uint8Array() },
        ],
      });
      for (;;) {
        const chosen = fake.requests.find(
          ({ name, input }) => name === "chooseScreen" && input.requestId === requestId,
        );
        if (chosen?.input.sourceId === null) throw new DOMException("Permission denied", "NotAllowedError");
        if (chosen !== undefined) return open(options);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
  }, thumbnail.toString("base64"));
}

test("DT16 the screen or window to share is chosen over the call; cancelling and the end of the call choose none, without a word", async ({
  friends: _,
  cast,
  openDesktop,
  openSignedIn,
}) => {
  const bo = await openDesktop({ ...cast.bo, language: "zh-CN" });
  const lin = await openSignedIn(cast.lin);
  await askWhichScreen(
    bo,
    createStripes(180, 80, [
      [40, 90, 160],
      [220, 220, 230],
      [40, 90, 160],
      [240, 180, 60],
    ]),
  );
  await logInFirst(bo);
  await bo.openChat(cast.lin.nickName);
  await connectCall(bo, lin, "video");

  /** The buttons hide while nothing moves. */
  const share = async () => {
    await bo.page.mouse.move(400, 300);
    await bo.page.mouse.move(420, 300);
    await bo.button("call.screenOn").click();
  };
  const choice = bo.page.getByRole("dialog", { name: bo.t("desktop.screen.title"), exact: true });
  const answers = () => desktopInputs(bo.page, "chooseScreen");
  await share();
  await expect(choice.getByRole("radio")).toHaveCount(4);
  await expectAccessible(bo, "choice of the screen", "all");
  // The keys of the call are not for the dialog above it, and Esc closes only the dialog.
  await bo.page.keyboard.press("m");
  await bo.page.keyboard.press("Escape");
  await expect(choice).toHaveCount(0);
  await expect(bo.button("call.screenOn")).toBeVisible();
  await expect(bo.button("call.mute")).toBeVisible();
  await expect.poll(answers).toEqual([{ requestId: 1, sourceId: null }]);
  await expect(bo.page.locator("[data-toasts] > *")).toHaveCount(0);

  await share();
  await choice.getByRole("radio", { name: bo.t("desktop.screen.numbered", { number: 1 }) }).focus();
  await bo.page.keyboard.press("ArrowDown");
  await bo.page.keyboard.press("ArrowDown");
  await expect(choice.getByRole("radio", { name: /^Annual report/ })).toBeChecked();
  await takePictures(bo, "desktop-screen-choice");
  await bo.page.keyboard.press("Enter");
  await expect(choice).toHaveCount(0);
  await expect.poll(async () => (await answers())[1]).toEqual({ requestId: 2, sourceId: "window:7" });
  await patient
    .poll(() => picture(lin).evaluate((video: HTMLVideoElement) => video.videoWidth))
    .toBeGreaterThan(700);
  await bo.page.mouse.move(440, 300);
  await bo.button("call.screenOff").click();

  await share();
  await expect(choice).toBeVisible();
  await hangUp(lin);
  await expect(choice).toHaveCount(0);
  await expect.poll(async () => (await answers())[2]).toEqual({ requestId: 3, sourceId: null });
  // Nobody waits now: a late question is answered at once.
  await tellPage(bo.page, "screenRequested", { requestId: 9, sources: [] });
  await expect.poll(async () => (await answers())[3]).toEqual({ requestId: 9, sourceId: null });
  await expect(choice).toHaveCount(0);
});
