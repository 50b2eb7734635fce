import { MessageType } from "@parley/protocol/codes";
import type { Page } from "@playwright/test";
import { waitForAnimations } from "../src/animations.ts";
import { expectWaiting, stored, waiting } from "../src/attachments.ts";
import { desktopInputs, setDesktopAnswer } from "../src/desktop-bridge.ts";
import { expect, logInFirst, test } from "../src/desktop-fixtures.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { createGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";
import { createStripes } from "../src/png.ts";
import { takePictures } from "../src/shots.ts";

/** Wider than the window, as on a screen with small pixels: 2,400 × 1,200. */
const SCREEN = createStripes(1_200, 600, [
  [30, 60, 90],
  [200, 210, 220],
  [160, 60, 40],
  [90, 140, 90],
]);

/** From now on the screen can be seen. */
const showScreen = (page: Page) =>
  setDesktopAnswer(page, "captureScreen", { kind: "picture", png: new Uint8Array(SCREEN) });

const cropDialog = (person: Person) =>
  person.page.getByRole("dialog", { name: person.t("desktop.screenshot.title"), exact: true });

const sizeOf = (width: number, height: number) => ({ width: String(width), height: String(height) });

test("DT15 a part of a screenshot is chosen by mouse or keys, waits above the field and arrives in its size", async ({
  friends,
  cast,
  openDesktop,
  openSignedIn,
}) => {
  const bo = await openDesktop(cast.bo);
  await logInFirst(bo);
  await bo.openChat(cast.lin.nickName);
  await showScreen(bo.page);
  await expect(bo.button("desktop.screenshot.title")).toBeVisible();
  await bo.button("desktop.screenshot.title").hover();
  const tip = { label: bo.t("desktop.screenshot.title"), key: "Ctrl+Shift+A" };
  await expect(bo.page.getByText(bo.t("call.withKey", tip), { exact: true })).toBeVisible();
  await takePictures(bo, "desktop-composer");

  await bo.button("desktop.screenshot.title").click();
  const dialog = cropDialog(bo);
  const expectSize = (width: number, height: number) =>
    expect(dialog.getByRole("status")).toHaveText(bo.t("desktop.screenshot.size", { width, height }));
  await expectSize(2_400, 1_200);
  await waitForAnimations(dialog);
  const box = await dialog.locator("img").boundingBox();
  if (box === null) throw new Error("the picture is not visible");
  const at = (x: number, y: number) =>
    [box.x + (x / 2_400) * box.width, box.y + (y / 1_200) * box.height] as const;
  await bo.page.mouse.move(...at(600, 300));
  await bo.page.mouse.down();
  await bo.page.mouse.move(...at(900, 500));
  await bo.page.mouse.move(...at(1_200, 600));
  await bo.page.mouse.up();
  // The pointer is at whole pixels of the screen, each of which is nearly two of the picture.
  await expect(dialog.getByRole("status")).toHaveText(/^(59|60)\d × (29|30)\d/);
  await expectAccessible(bo, "crop of a screenshot", "all");
  await takePictures(bo, "desktop-screenshot");

  // By keys, from the whole picture: exact.
  await bo.button("desktop.screenshot.whole").click();
  await expectSize(2_400, 1_200);
  await bo.page.keyboard.press("Shift+ArrowLeft");
  await bo.page.keyboard.press("Shift+Alt+ArrowUp");
  await bo.page.keyboard.press("ArrowRight");
  await expectSize(2_390, 1_199);
  // A click on the picture takes the focus from the button, and changes nothing.
  await bo.page.mouse.click(...at(1_200, 600));
  await bo.page.keyboard.press("Enter");
  await expect(bo.page.getByRole("button", { name: bo.t("desktop.screenshot.take") })).toHaveCount(0);
  await expectWaiting(bo, ["screenshot.png"]);

  await bo.composer().press("Enter");
  await expect
    .poll(() => stored(friends.bo))
    .toMatchObject([{ type: MessageType.IMAGE, content: expect.stringContaining('"width":2390') }]);
  const [sent] = await stored(friends.lin);
  expect(JSON.parse(sent?.content ?? "{}")).toMatchObject({ width: 2_390, height: 1_199 });
  const name = bo.t("media.pictureLabel", sizeOf(2_390, 1_199));
  await expect(bo.page.getByRole("log").getByRole("button", { name })).toBeVisible();
  const lin = await openSignedIn(cast.lin);
  await lin.openChat(cast.bo.nickName);
  const received = lin.t("media.pictureLabel", sizeOf(2_390, 1_199));
  await expect(lin.page.getByRole("log").getByRole("button", { name: received })).toBeVisible();
});

test("DT15 the shortcut takes a screenshot, which belongs to the chat in which it was taken, and Esc discards it", async ({
  friends,
  cast,
  openDesktop,
}) => {
  const group = await createGroup(friends.bo, `Team ${cast.bo.userName}`, [friends.lin]);
  const bo = await openDesktop({ ...cast.bo, language: "zh-TW" });
  await logInFirst(bo);
  await bo.openChat(cast.lin.nickName);
  await showScreen(bo.page);
  await expect(bo.button("desktop.screenshot.title")).toBeVisible();
  await bo.composer().press("Control+Shift+A");
  await expect(cropDialog(bo)).toBeVisible();
  await expectAccessible(bo, "crop of a screenshot", "all");
  await takePictures(bo, "desktop-screenshot");
  // While it is open, neither the shortcut nor the keys of the list do anything.
  await bo.page.keyboard.press("Control+Shift+A");
  await bo.page.keyboard.press("Alt+ArrowDown");
  await bo.page.keyboard.press("Escape");
  await expect(cropDialog(bo)).toHaveCount(0);
  await expect(waiting(bo)).toHaveCount(0);
  await expect(bo.composer()).toBeFocused();
  expect(await desktopInputs(bo.page, "captureScreen")).toHaveLength(1);

  // Another chat is opened before the picture is there.
  await bo.page.evaluate(() => {
    const { parleyDesktop } = window as unknown as {
      parleyDesktop: { request(name: string, input: unknown): Promise<unknown> };
    };
    const { request } = parleyDesktop;
    parleyDesktop.request = async (name, input) => {
      if (name === "captureScreen")
        await new Promise((resolve) => addEventListener("screen captured", resolve, { once: true }));
      return request(name, input);
    };
  });
  await bo.composer().press("Control+Shift+A");
  await bo.openChat(group.name);
  await bo.page.evaluate(() => dispatchEvent(new Event("screen captured")));
  await expect(cropDialog(bo)).toBeVisible();
  await bo.button("desktop.screenshot.take").click();
  await expect(cropDialog(bo)).toHaveCount(0);
  await expect(waiting(bo)).toHaveCount(0);
  await bo.openChat(cast.lin.nickName);
  await expectWaiting(bo, ["screenshot.png"]);
});

test("DT15 a screenshot that fails or is not allowed is told in a sentence", async ({
  friends: _,
  cast,
  openDesktop,
}) => {
  const bo = await openDesktop(cast.bo);
  await logInFirst(bo);
  await bo.openChat(cast.lin.nickName);
  await bo.button("desktop.screenshot.title").click();
  await bo.expectToast("screenshot failed");
  await setDesktopAnswer(bo.page, "captureScreen", { kind: "denied" });
  await bo.button("desktop.screenshot.title").click();
  await expect(bo.text("desktop.screenshot.denied")).toBeVisible();
  await expect(cropDialog(bo)).toHaveCount(0);
  // A file that is no picture fails as well.
  await setDesktopAnswer(bo.page, "captureScreen", { kind: "picture", png: new Uint8Array([1, 2, 3]) });
  await bo.button("desktop.screenshot.title").click();
  await bo.expectToast(bo.t("desktop.screenshot.failed"));
  await expect(cropDialog(bo)).toHaveCount(0);
});

test("DT17 a browser has no button for screenshots", async ({ bo, cast }) => {
  await bo.openChat(cast.lin.nickName);
  await expect(bo.button("chat.more").first()).toBeVisible();
  await expect(bo.page.getByRole("button", { name: bo.t("desktop.screenshot.title") })).toHaveCount(0);
});
