import type { Locator } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { waitForAnimations } from "../src/animations.ts";
import { sendText, sendTexts } from "../src/api.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expect, type Friends, test as base } from "../src/fixtures.ts";
import { inLanguages } from "../src/full-run.ts";
import { recordVideo, sendPicture } from "../src/media.ts";
import type { Person } from "../src/person.ts";
import { uploadPicture } from "../src/pictures.ts";
import { type Colour, createStripes } from "../src/png.ts";
import { Fingers } from "../src/touch.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isTouch: true } as const;
const RED: Colour = [200, 40, 40];
const GREEN: Colour = [40, 160, 60];
const BLUE: Colour = [40, 60, 200];

/** Three pictures from Lin to Bo, told apart by their sizes: 600 x 400, 400 x 600 and 2400 x 1600 px. Returns the ids of the messages. */
async function sendPictures({ lin, bo }: Friends): Promise<number[]> {
  const sizes = [
    [600, 400, RED],
    [400, 600, GREEN],
    [2_400, 1_600, BLUE],
  ] as const;
  const ids: number[] = [];
  for (const [width, height, colour] of sizes)
    ids.push(await sendPicture(lin, bo, createStripes(height, width / 2, [colour, [240, 240, 240]])));
  return ids;
}

const test = base.extend<{
  /** Lin has sent the pictures, and Bo has opened the chat. */
  pictures: { bo: Person; ids: readonly number[] };
}>({
  pictures: async ({ friends, cast, openSignedIn }, use) => {
    const ids = await sendPictures(friends);
    const bo = await openSignedIn(cast.bo);
    await bo.openChat(cast.lin.nickName);
    await use({ bo, ids });
  },
});

/** The picture of this size in the conversation. */
const bubble = (person: Person, width: number, height: number): Locator =>
  person.page.getByRole("log").getByRole("button", {
    name: person.t("media.pictureLabel", { width: String(width), height: String(height) }),
  });

const viewer = ({ page, t }: Person): Locator => page.getByRole("dialog", { name: t("viewer.title") });

/** Waits until the original of this width is shown, with this position on the counter; null: it is the only picture. */
async function expectShown(person: Person, width: number, position: string | null): Promise<void> {
  const picture = viewer(person).locator("[data-picture] img").last();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth).catch(() => 0))
    .toBe(width);
  const counter = viewer(person).getByText(/^\d+ \/ \d+$/);
  await (position === null ? expect(counter).toHaveCount(0) : expect(counter).toHaveText(position));
}

/** Scale, rotation in degrees, and offset of the shown picture. */
function shownAs(person: Person) {
  return viewer(person)
    .locator("[data-picture]")
    .evaluate((element: HTMLElement) => {
      const number = (pattern: RegExp, index = 1) => Number(pattern.exec(element.style.transform)?.[index]);
      const translate = /translate\((-?[\d.]+)px(?:, (-?[\d.]+)px)?\)/;
      return {
        scale: number(/scale\(([\d.]+)\)/),
        rotation: number(/rotate\((-?\d+)deg\)/),
        x: number(translate),
        y: number(translate, 2) || 0,
      };
    });
}

/** The place and size of the shown picture, after it has grown into the window. */
async function pictureBox(person: Person) {
  const picture = viewer(person).locator("[data-picture]");
  await waitForAnimations(picture);
  const box = await picture.boundingBox();
  if (box === null) throw new Error("no picture");
  return box;
}

const percent = (person: Person) => viewer(person).getByText(/^\d+%$/);

test("VP1 VP2 VP4 VP6 the viewer is used by keys: it wraps around, zooms, turns, keeps the focus and gives it back", async ({
  cast,
  pictures: { bo },
}) => {
  const opener = bubble(bo, 2_400, 1_600);
  await opener.focus();
  await bo.page.keyboard.press("Enter");
  await expect(viewer(bo)).toHaveAttribute("aria-modal", "true");
  await expectShown(bo, 2_400, "3 / 3");
  await expect(viewer(bo).getByText(cast.lin.nickName, { exact: true })).toBeVisible();
  await expectAccessible(bo, "the viewer");

  await bo.page.keyboard.press("ArrowRight");
  await expectShown(bo, 600, "1 / 3");
  await bo.page.keyboard.press("ArrowLeft");
  await expectShown(bo, 2_400, "3 / 3");
  await bo.page.keyboard.press("ArrowLeft");
  await expectShown(bo, 400, "2 / 3");

  await bo.page.keyboard.press("+");
  await expect(percent(bo)).toHaveText("120%");
  await bo.page.keyboard.press("-");
  await bo.page.keyboard.press("-");
  await expect(percent(bo)).toHaveText("83%");
  await bo.page.keyboard.press("r");
  await expect.poll(() => shownAs(bo)).toMatchObject({ rotation: 90 });
  for (let times = 0; times < 20; times++) await bo.page.keyboard.press("+");
  await expect(percent(bo)).toHaveText("500%");
  for (let times = 0; times < 30; times++) await bo.page.keyboard.press("-");
  await expect(percent(bo)).toHaveText("10%");
  await bo.page.keyboard.press("0");
  await expect.poll(() => shownAs(bo)).toEqual({ scale: 1, rotation: 0, x: 0, y: 0 });

  // The focus goes round inside.
  for (let times = 0; times < 14; times++) {
    await bo.page.keyboard.press("Tab");
    await expect(viewer(bo).locator(":focus")).toHaveCount(1);
  }
  // Letters do not go to the composer below.
  await bo.page.keyboard.type("abc");
  await bo.page.keyboard.press("Escape");
  await expect(viewer(bo)).toHaveCount(0);
  await expect(opener).toBeFocused();
  await expect(bo.composer()).toHaveText("");
});

test("VP3 VP5 VP6 the wheel zooms at the pointer, a double click shows the own size, and the picture is dragged to its edge", async ({
  pictures: { bo },
}) => {
  await bubble(bo, 2_400, 1_600).click();
  await expectShown(bo, 2_400, "3 / 3");
  const box = await pictureBox(bo);
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  await bo.page.mouse.move(middle[0] + 200, middle[1]);
  await bo.page.mouse.wheel(0, -100);
  await expect(percent(bo)).toHaveText("120%");
  await bo.page.mouse.wheel(0, -100);
  await expect(percent(bo)).toHaveText("144%");
  // A point 200 px to the right of the middle moves by 88 px less.
  await expect.poll(async () => (await shownAs(bo)).x).toBeLessThan(0);
  await bo.page.keyboard.press("0");

  await bo.page.mouse.dblclick(...middle);
  await expect.poll(async () => (await shownAs(bo)).scale).toBeCloseTo(2_400 / box.width, 1);
  await bo.page.mouse.down();
  await bo.page.mouse.move(middle[0] + 3_000, middle[1] + 3_000, { steps: 4 });
  await bo.page.mouse.up();
  // Its left edge is at the left edge of the page.
  await expect.poll(async () => (await pictureBox(bo)).x).toBeCloseTo(0, 0);
  await bo.page.mouse.dblclick(...middle);
  await expect.poll(() => shownAs(bo)).toMatchObject({ scale: 1, x: 0, y: 0 });
});

for (const language of inLanguages("zh-CN")) {
  test(`VP10 fingers use the viewer on a phone, in ${language}`, async ({ friends, cast, openSignedIn }) => {
    await sendPictures(friends);
    const bo = await openSignedIn({ ...cast.bo, ...PHONE, language });
    await bo.row(cast.lin.nickName).tap();
    await bubble(bo, 600, 400).tap();
    await expectShown(bo, 600, "1 / 3");
    const fingers = await Fingers.of(bo);
    const middle = [195, 410] as const;
    await fingers.move([[middle, [60, 410]]]);
    await expectShown(bo, 400, "2 / 3");
    await fingers.move([[middle, [330, 410]]]);
    await expectShown(bo, 600, "1 / 3");
    await fingers.move([[middle, [330, 410]]]);
    await expectShown(bo, 2_400, "3 / 3");

    // Two fingers that move apart to three times their distance.
    await fingers.move([
      [
        [175, 410],
        [135, 410],
      ],
      [
        [215, 410],
        [255, 410],
      ],
    ]);
    await expect(percent(bo)).toHaveText("300%");
    // Now a finger drags, and does not go to the next picture.
    await fingers.move([[middle, [60, 410]]]);
    await expectShown(bo, 2_400, "3 / 3");
    await expect.poll(async () => (await shownAs(bo)).x).toBeLessThan(-50);
    await fingers.doubleTap(middle);
    await expect(percent(bo)).toHaveText("100%");

    // Every control is large enough for a finger.
    for (const control of await viewer(bo).locator("button, a").all()) {
      const size = await control.boundingBox();
      expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44);
      await expect(control).toBeInViewport({ ratio: 1 });
    }
    await expectAccessible(bo, "the viewer on a phone");

    await fingers.move([[middle, [200, 620]]]);
    await expect(viewer(bo)).toHaveCount(0);
    await bubble(bo, 600, 400).tap();
    await expectShown(bo, 600, "1 / 3");
    await bo.page.goBack();
    await expect(viewer(bo)).toHaveCount(0);
    await expect(bo.page.getByRole("log")).toBeVisible();
    // The way back from the chat is one step, as if no viewer had been open.
    await bo.page.goBack();
    await expect(bo.page).toHaveURL(/\/home\/chat$/);
  });
}

test("VP8 VP12 pictures above the loaded messages are shown, found in the chat and saved", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  // All from Bo, so that nothing is unread and the chat opens at its end.
  const { lin, bo: sender } = friends;
  await sendPictures({ lin: sender, bo: lin });
  await sendTexts(
    sender,
    lin,
    Array.from({ length: 120 }, (_, index) => `No ${index}`),
  );
  await sendPicture(sender, lin, createStripes(100, 50, [RED, BLUE]));
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await bubble(bo, 100, 100).click();
  await expectShown(bo, 100, "4 / 4");
  await bo.page.keyboard.press("ArrowLeft");
  await expectShown(bo, 2_400, "3 / 4");
  await bo.page.keyboard.press("ArrowLeft");
  await bo.page.keyboard.press("ArrowLeft");
  await expectShown(bo, 600, "1 / 4");
  await bo.page.keyboard.press("ArrowLeft");
  await expectShown(bo, 100, "4 / 4");
  await bo.page.keyboard.press("ArrowRight");

  const saving = bo.page.waitForEvent("download");
  await viewer(bo)
    .getByRole("link", { name: bo.t("viewer.download") })
    .click();
  expect((await saving).suggestedFilename()).toMatch(/^Picture \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);

  await viewer(bo)
    .getByRole("button", { name: bo.t("viewer.jump") })
    .click();
  await expect(viewer(bo)).toHaveCount(0);
  await expect(bubble(bo, 600, 400)).toBeInViewport();
});

test("VP9 while a picture is shown it is recalled: the next one is shown, and after the last one the viewer closes", async ({
  friends,
  pictures: {
    bo,
    ids: [first, second, third],
  },
}) => {
  await bubble(bo, 400, 600).click();
  await expectShown(bo, 400, "2 / 3");
  const recall = (id: number | undefined) =>
    friends.lin.call(ENDPOINTS.recallPrivateMessage, { params: { id: id ?? 0 } });
  await recall(second);
  await expectShown(bo, 2_400, "2 / 2");
  await bo.expectToast(bo.t("viewer.gone"));
  await recall(third);
  await expectShown(bo, 600, null);
  await bo.expectToast(bo.t("viewer.gone"));
  await recall(first);
  await expect(viewer(bo)).toHaveCount(0);
  await bo.expectToast(bo.t("viewer.gone"));
});

test("VP7 a picture that cannot be loaded says so and is tried again", async ({ pictures: { bo } }) => {
  await bo.page.route(/\/image\.png$/, (route) => route.abort());
  await bubble(bo, 2_400, 1_600).click();
  await expect(viewer(bo).getByText(bo.t("viewer.failed"))).toBeVisible();
  bo.console.allow(/ERR_FAILED/);
  await bo.page.unroute(/\/image\.png$/);
  await viewer(bo)
    .getByRole("button", { name: bo.t("app.retry") })
    .click();
  await expectShown(bo, 2_400, "3 / 3");
});

test("an avatar opens over the page of its person, and the card below stays open", async ({
  friends,
  server,
  cast,
  openSignedIn,
}) => {
  const { originUrl, thumbUrl } = await uploadPicture(server.url, createStripes(300, 150, [RED, GREEN]));
  const { lin } = friends;
  await lin.call(ENDPOINTS.updateUser, {
    body: { id: lin.id, headImage: originUrl, headImageThumb: thumbUrl },
  });
  await sendText(friends.lin, friends.bo, "my new picture");
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await bo.page
    .getByRole("log")
    .getByRole("button", { name: new RegExp(cast.lin.nickName) })
    .first()
    .click();
  const card = bo.page.getByRole("dialog", { name: bo.t("card.title", { name: cast.lin.nickName }) });
  const opener = card.getByRole("button", { name: bo.t("viewer.openPicture", { name: cast.lin.nickName }) });
  await opener.click();
  const picture = viewer(bo).locator("[data-picture] img").last();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
  // A press on the viewer is not one outside of the card.
  await viewer(bo)
    .getByRole("button", { name: bo.t("viewer.zoomIn") })
    .click();
  await bo.page.keyboard.press("Escape");
  await expect(viewer(bo)).toHaveCount(0);
  await expect(card).toBeVisible();
  await expect(opener).toBeFocused();
});

test("VP11 VP13 a video plays in the viewer: the sender's from the device, the receiver's from the server", async ({
  friends,
  chatting: { lin, bo },
}) => {
  const file = { name: "lake.webm", mimeType: "video/webm", buffer: await recordVideo(lin.page, 2_000) };
  const opened = lin.page.waitForEvent("filechooser");
  await lin.sendFromPlusMenu("attach.pickPicture");
  await (await opened).setFiles([file]);
  await expect(lin.page.locator("[data-strip] [data-tile]")).toHaveCount(1);
  await lin.button("chat.send").click();
  const videoBubble = (person: Person) =>
    person.page.getByRole("log").getByRole("button", { name: new RegExp(`^${person.t("media.video")}`) });

  await expect(videoBubble(bo)).toBeVisible();
  for (const [person, source] of [
    [lin, /^blob:/],
    [bo, /\/files\/[\w-]+\/video\.webm$/],
  ] as const) {
    await videoBubble(person).click();
    const video = viewer(person).locator("video");
    await expect(video).toHaveAttribute("src", source);
    await expect
      .poll(() =>
        video.evaluate(({ currentTime, videoWidth }: HTMLVideoElement) => currentTime > 0 && videoWidth),
      )
      .toBe(320);
    await expect(viewer(person).getByRole("button", { name: person.t("viewer.zoomIn") })).toHaveCount(0);
  }
  await expectAccessible(bo, "a video in the viewer");

  // A picture that arrives is the next one; going there ends the video.
  await sendPicture(friends.lin, friends.bo, createStripes(100, 50, [RED, BLUE]));
  await expect(viewer(bo).getByText("1 / 2", { exact: true })).toBeVisible();
  const video = await viewer(bo).locator("video").elementHandle();
  await bo.page.keyboard.press("ArrowRight");
  await expectShown(bo, 100, "2 / 2");
  expect(await video?.evaluate(({ paused }: HTMLVideoElement) => paused)).toBe(true);
});
