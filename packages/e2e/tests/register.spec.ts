import type { Locator } from "@playwright/test";
import { createAccount, PASSWORD } from "../src/api.ts";
import { cropDialog, storedPicture, useCrop } from "../src/avatars.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expect, test } from "../src/fixtures.ts";
import { inLanguages } from "../src/full-run.ts";
import { type Colour, createPng, createStripes } from "../src/png.ts";
import type { Person } from "../src/person.ts";
import { fillRegistration } from "../src/registration.ts";

const MEGABYTE = 1024 * 1024;

/** Fills a field and moves the focus away from it. */
async function fillAndBlur(person: Person, id: string, value: string): Promise<void> {
  const field = person.byLabel(id);
  await field.fill(value);
  await field.blur();
}

for (const language of inLanguages("zh-TW")) {
  test(`the register form validates each field when it loses the focus, in ${language}`, async ({
    cast,
    openLogin,
  }) => {
    const bo = await openLogin({ ...cast.bo, language });
    await bo.open("/register");
    const wrong = [
      ["login.username", "", "register.usernameRequired"],
      ["login.username", "bo madsen", "register.usernameFormat"],
      ["login.username", "b".repeat(21), "register.usernameTooLong"],
      ["login.username", "b", null],
      ["register.nickname", "  ", "register.nicknameRequired"],
      ["register.nickname", "名".repeat(41), "register.nicknameTooLong"],
      ["login.password", "", "register.passwordRequired"],
      ["login.password", "seven 7", "register.passwordLength"],
      ["register.confirm", "", "register.confirmRequired"],
      ["register.confirm", "something else", "register.confirmMismatch"],
    ] as const;
    for (const [field, value, message] of wrong) {
      await fillAndBlur(bo, field, value);
      if (message === null) await expect(bo.byLabel(field)).not.toHaveAttribute("aria-invalid");
      else await expect(bo.text(message)).toBeVisible();
    }
    await bo.button("register.submit").click();
    // The focus goes to the first invalid field.
    await expect(bo.byLabel("register.nickname")).toBeFocused();
    await expect(bo.page).toHaveURL(/\/register$/);
  });

  test(`a taken username shows its error at the field, in ${language}`, async ({
    cast,
    server,
    openLogin,
  }) => {
    await createAccount(server.url, cast.lin.userName, cast.lin.nickName);
    const bo = await openLogin({ ...cast.bo, language });
    await bo.open("/register");
    await bo.field("login.username").fill(cast.lin.userName);
    await bo.field("register.nickname").fill(cast.bo.nickName);
    await bo.byLabel("login.password").fill(PASSWORD);
    await bo.byLabel("register.confirm").fill(PASSWORD);
    await bo.button("register.submit").click();
    await expect(bo.byLabel("login.username")).toHaveAttribute("aria-invalid", "true");
    await expect(bo.page.locator("form").getByText(bo.t("error.register.userNameTaken"))).toBeVisible();
    await expect(bo.byLabel("login.username")).toBeFocused();
  });
}

test("an avatar can be chosen; wrong types and sizes are refused with the texts of the spec", async ({
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  const input = bo.page.locator('input[type="file"]');
  await input.setInputFiles({ name: "a.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
  const types = bo.t("upload.type", { types: "jpeg, png, jpg, webp" });
  await expect(bo.page.locator("form").getByText(types)).toBeVisible();
  await bo.expectToast(types, "alert");
  await input.setInputFiles({ name: "b.png", mimeType: "image/png", buffer: Buffer.alloc(5 * MEGABYTE + 1) });
  await expect(bo.page.locator("form").getByText(bo.t("upload.tooLarge", { max: "5 MB" }))).toBeVisible();
  await input.setInputFiles({
    name: "c.png",
    mimeType: "image/png",
    buffer: Buffer.from("no picture at all"),
  });
  await expect(bo.page.locator("form").getByText(/file format error|damaged/)).toBeVisible();
  await expect(cropDialog(bo)).toHaveCount(0);
  await input.setInputFiles({ name: "d.png", mimeType: "image/png", buffer: createPng(64) });
  await expectAccessible(bo, "the choice of the part of an avatar");
  const { originUrl } = await useCrop(bo);
  expect(await storedPicture(bo, originUrl, [])).toMatchObject({ width: 64, height: 64 });
  await expect(bo.button("register.changeAvatar")).toBeVisible();
  const picture = bo.page.locator("form img").first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  bo.console.allow(/status of 4\d\d/);

  await bo.field("login.username").fill(cast.bo.userName);
  await bo.field("register.nickname").fill(cast.bo.nickName);
  await bo.byLabel("login.password").fill(PASSWORD);
  await bo.byLabel("register.confirm").fill(PASSWORD);
  await bo.button("register.submit").click();
  await bo.expectToast(bo.t("register.done"), "status");
  await bo.expectHome();
  await expect(bo.button("nav.profile", { name: cast.bo.nickName }).locator("img")).toBeVisible();
});

const RED: Colour = [255, 0, 0];
const GREEN: Colour = [0, 255, 0];
const BLUE: Colour = [0, 0, 255];
const MIDDLE = [0.5, 0.5] as const;

/** Opens the crop dialog with 300 x 100 px: red, green and blue from left to right. */
async function pickStripes(bo: Person): Promise<Locator> {
  const buffer = createStripes(100, 100, [RED, GREEN, BLUE]);
  await bo.page.locator('input[type="file"]').setInputFiles({ name: "a.png", mimeType: "image/png", buffer });
  return cropDialog(bo).getByRole("group", { name: bo.t("crop.area") });
}

test("VP20 an avatar is the square that was chosen, by keys and by pointer", async ({ cast, openLogin }) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  // The middle, if nothing is changed.
  await pickStripes(bo);
  const middle = await storedPicture(bo, (await useCrop(bo)).originUrl, [MIDDLE, [0.05, 0.5], [0.95, 0.5]]);
  expect(middle).toEqual({ width: 100, height: 100, colours: [GREEN, GREEN, GREEN] });

  // The arrow keys move the picture.
  const area = await pickStripes(bo);
  await area.focus();
  for (let times = 0; times < 150; times++) await bo.page.keyboard.press("ArrowRight");
  expect(await storedPicture(bo, (await useCrop(bo)).originUrl, [MIDDLE])).toEqual({
    width: 100,
    height: 100,
    colours: [RED],
  });

  // So does the pointer.
  const box = await (await pickStripes(bo)).boundingBox();
  if (box === null) throw new Error("no crop area");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await bo.page.mouse.move(x, y);
  await bo.page.mouse.down();
  await bo.page.mouse.move(x - 200, y, { steps: 5 });
  await bo.page.mouse.up();
  expect((await storedPicture(bo, (await useCrop(bo)).originUrl, [MIDDLE])).colours).toEqual([BLUE]);

  // Zoomed to 5 by the keys of the slider, a fifth of the height is left. Turned it is still the middle.
  await pickStripes(bo);
  const slider = cropDialog(bo).getByRole("slider", { name: bo.t("crop.zoom") });
  await slider.press("End");
  await cropDialog(bo)
    .getByRole("button", { name: bo.t("crop.rotate") })
    .click();
  const zoomed = await storedPicture(bo, (await useCrop(bo)).originUrl, [MIDDLE]);
  expect(zoomed).toEqual({ width: 20, height: 20, colours: [GREEN] });
});

test("VP20 a photo that the camera marked as turned becomes an upright avatar", async ({
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  // 200 x 100 px, red at the left and blue at the right.
  const plain = await bo.page.evaluate(async () => {
    const canvas = new OffscreenCanvas(200, 100);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.fillStyle = "red";
    context.fillRect(0, 0, 100, 100);
    context.fillStyle = "blue";
    context.fillRect(100, 0, 100, 100);
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg" })).arrayBuffer())];
  });
  // Orientation 6: to be turned clockwise, so that red is above.
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  const exif = [...Buffer.from("Exif\0\0"), ...tiff];
  const buffer = Buffer.from([
    ...plain.slice(0, 2),
    0xff,
    0xe1,
    0,
    exif.length + 2,
    ...exif,
    ...plain.slice(2),
  ]);
  await bo.page
    .locator('input[type="file"]')
    .setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer });
  const { originUrl } = await useCrop(bo);
  const { width, height, colours } = await storedPicture(bo, originUrl, [
    [0.5, 0.1],
    [0.5, 0.9],
  ]);
  expect([width, height]).toEqual([100, 100]);
  const strongest = colours.map((colour) => colour.indexOf(Math.max(...colour)));
  expect(strongest).toEqual([RED.indexOf(255), BLUE.indexOf(255)]);
});

test("closing the crop dialog keeps the avatar as it was, and the focus goes back", async ({
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  await bo.button("register.chooseAvatar").focus();
  await pickStripes(bo);
  await bo.page.keyboard.press("Escape");
  await expect(cropDialog(bo)).toHaveCount(0);
  await expect(bo.button("register.chooseAvatar")).toBeFocused();
  await expect(bo.page.locator("form img")).toHaveCount(0);
});

test("an account is not made before its avatar is uploaded", async ({ cast, openLogin }) => {
  const bo = await openLogin(cast.bo);
  await fillRegistration(bo);
  const held = Promise.withResolvers<void>();
  await bo.context.route("**/image/upload", async (route) => {
    await held.promise;
    await route.continue();
  });
  await bo.page
    .locator('input[type="file"]')
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: createPng(64) });
  await cropDialog(bo)
    .getByRole("button", { name: bo.t("crop.use") })
    .click();
  await expect(bo.button("register.avatarUploading")).toBeVisible();
  await bo.byLabel("register.confirm").press("Enter");
  await expect(bo.button("register.submit")).toHaveAttribute("aria-busy", "true");
  held.resolve();
  await expect(bo.button("register.changeAvatar")).toBeVisible();
  await bo.button("register.submit").click();
  await bo.expectHome();
  await expect(bo.button("nav.profile", { name: cast.bo.nickName }).locator("img")).toBeVisible();
});

test.describe("on a server that requires an invite code and an avatar", () => {
  test.use({ ownServer: { INVITE_CODE_REQUIRED: "on", AVATAR_REQUIRED: "on" } });

  test("the form shows the code field, requires both, and says when the code is wrong", async ({
    cast,
    openLogin,
  }) => {
    const bo = await openLogin(cast.bo);
    await bo.open("/register");
    const code = bo.field("register.inviteCode");
    await expect(code).toBeVisible();
    await bo.field("login.username").fill(cast.bo.userName);
    await bo.field("register.nickname").fill(cast.bo.nickName);
    await bo.byLabel("login.password").fill(PASSWORD);
    await bo.byLabel("register.confirm").fill(PASSWORD);
    await bo.button("register.submit").click();
    await expect(bo.text("register.inviteCodeRequired")).toBeVisible();
    await expect(bo.text("register.avatarRequired")).toBeVisible();
    await code.fill("not a code");
    await bo.page
      .locator('input[type="file"]')
      .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: createPng(64) });
    await useCrop(bo);
    await expect(bo.button("register.changeAvatar")).toBeVisible();
    await bo.button("register.submit").click();
    await expect(bo.page.locator("form").getByText(bo.t("error.register.inviteCodeWrong"))).toBeVisible();
    await expect(code).toBeFocused();
    await expect(bo.page).toHaveURL(/\/register$/);
  });
});

test("a failed login after the registration leads to the login screen with a warning", async ({
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  await fillRegistration(bo);
  await bo.context.route("**/api/login", (route) =>
    route.fulfill({ json: { code: 500, message: "not now", data: null } }),
  );
  await bo.button("register.submit").click();
  await bo.expectToast(bo.t("register.loginFailed"), "alert");
  await expect(bo.page).toHaveURL(/\/login$/);
});

test("by default neither an invite code nor an avatar is required", async ({ cast, openLogin }) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  await expect(bo.field("register.nickname")).toBeVisible();
  await expect(bo.field("register.inviteCode")).toHaveCount(0);
  await bo.button("register.submit").click();
  await expect(bo.text("register.usernameRequired")).toBeVisible();
  await expect(bo.text("register.avatarRequired")).toHaveCount(0);
});
