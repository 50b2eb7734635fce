import { waitForAnimations } from "../src/animations.ts";
import { createAccount, sendText } from "../src/api.ts";
import { choose, text } from "../src/attachments.ts";
import { call, prompt } from "../src/calls.ts";
import { desktopInputs, tellPage } from "../src/desktop-bridge.ts";
import { beAway, type DesktopFixtures, expect, logInFirst, test } from "../src/desktop-fixtures.ts";
import { inLanguages } from "../src/full-run.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expectFits } from "../src/expect-fits.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import { sendPicture } from "../src/media.ts";
import type { Person, PersonOptions } from "../src/person.ts";
import { createStripes } from "../src/png.ts";
import { takePictures } from "../src/shots.ts";

const START = {
  settings: { closeAction: "ask", drawsAttention: true, opensAtLogin: false, zoomPercent: 100 },
  window: { isMaximized: false, isFullScreen: false, isFocused: true },
} as const;

/** The bar above the screens. */
const titleBar = (person: Person) =>
  person.page.getByRole("region", { name: person.t("desktop.bar.window") });

/** The upper edge of an element, px. */
const topOf = async (person: Person, selector: string): Promise<number> =>
  (await person.page.locator(selector).first().boundingBox())?.y ?? Number.NaN;

test.describe("DT1 the title bar", () => {
  test("its buttons control the window on every screen, by pointer and by key, and show when it is maximised", async ({
    friends: _,
    cast,
    openDesktop,
  }) => {
    const bo = await openDesktop(cast.bo);
    const asked = () => desktopInputs(bo.page, "controlWindow");
    await bo.button("desktop.bar.minimize").click();
    await bo.button("desktop.bar.maximize").click();
    await bo.button("desktop.bar.close").click();
    await expect.poll(asked).toEqual(["minimize", "toggleMaximize", "close"]);
    await expect(bo.button("desktop.bar.maximize")).toHaveAttribute("title", bo.t("desktop.bar.maximize"));

    await tellPage(bo.page, "windowChanged", { ...START.window, isMaximized: true });
    await bo.button("desktop.bar.restore").focus();
    await bo.page.keyboard.press("Enter");
    await expect.poll(asked).toHaveLength(4);
    await bo.page.keyboard.press("Tab");
    await expect(bo.button("desktop.bar.close")).toBeFocused();

    // Nothing of a screen is under the bar, and a press does not take the focus from the field.
    for (const path of ["/admin/setup", "/register", "/login"]) {
      await bo.open(path);
      await expect(titleBar(bo)).toBeVisible();
      await expect.poll(() => topOf(bo, "#root > *")).toBe(32);
    }
    await logInFirst(bo);
    await expect.poll(() => topOf(bo, "main")).toBe(32);
    await bo.openChat(cast.lin.nickName);
    await bo.composer().focus();
    await bo.button("desktop.bar.minimize").click();
    await expect(bo.composer()).toBeFocused();

    // An open dialog stays open, and leaves the bar to screen readers.
    await bo.openSettings("general");
    await bo.button("desktop.bar.minimize").click();
    await expect(bo.dialog()).toBeVisible();
    await expect.poll(() => topOf(bo, "main")).toBe(32);
  });

  test("the bar is there while the program is loaded, and above an error", async ({
    friends: _,
    cast,
    openDesktop,
  }) => {
    const bo = await openDesktop(cast.bo);
    await logInFirst(bo);
    bo.console.allow(/could not be loaded|dynamically imported module/);
    await bo.context.route("**/assets/shell-*.js", () => undefined);
    await bo.page.reload();
    await expect(bo.page.locator("[aria-busy=true]")).toBeVisible();
    await expect(titleBar(bo)).toBeVisible();
    await bo.context.unroute("**/assets/shell-*.js");
    await bo.page.reload();
    await bo.logOut();
    await bo.context.route("**/assets/register-route-*.js", (route) => route.abort());
    await bo.page.getByRole("link", { name: bo.t("login.register"), exact: true }).click();
    await expect(bo.text("app.chunkFailed")).toBeVisible();
    await expect(titleBar(bo)).toBeVisible();
    await expect.poll(() => topOf(bo, "#root > *")).toBe(32);
  });

  test("a full screen has none, and gives its place to the page", async ({ cast, openDesktop }) => {
    const bo = await openDesktop(cast.bo);
    await expect(titleBar(bo)).toBeVisible();
    await tellPage(bo.page, "windowChanged", { ...START.window, isFullScreen: true });
    await expect(titleBar(bo)).toHaveCount(0);
    await expect.poll(() => topOf(bo, "#root > *")).toBe(0);
    await tellPage(bo.page, "windowChanged", START.window);
    await expect(titleBar(bo)).toBeVisible();
  });

  test("macOS draws its own buttons over it, so that it has none", async ({ cast, openDesktop }) => {
    const bo = await openDesktop(cast.bo, { platform: "darwin" });
    await expect.poll(() => topOf(bo, "#root > *")).toBe(32);
    await expect(titleBar(bo)).toHaveCount(0);
  });

  test("dialogs, the viewer of pictures and menus leave it free in a low window", async ({
    friends,
    cast,
    openDesktop,
  }) => {
    await sendPicture(friends.lin, friends.bo, createStripes(400, 300, [[200, 40, 40]]));
    const bo = await openDesktop({ ...cast.bo, viewport: { width: 940, height: 420 } });
    await logInFirst(bo);
    await bo.openSettings("general");
    await waitForAnimations(bo.dialog());
    const box = await bo.dialog().boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(32);
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(420);
    await bo.page.keyboard.press("Escape");
    await bo.row(cast.lin.nickName).click({ button: "right" });
    await bo.expectMenuFocused();
    await waitForAnimations(bo.page.getByRole("menu"));
    expect(await topOf(bo, "[role=menu]")).toBeGreaterThanOrEqual(32);
    await bo.page.keyboard.press("Escape");
    await expect(bo.page.getByRole("menu")).toHaveCount(0);
    await bo.openChat(cast.lin.nickName);
    const size = { width: "300", height: "400" };
    await bo.page
      .getByRole("log")
      .getByRole("button", { name: bo.t("media.pictureLabel", size) })
      .click();
    const viewer = bo.page.getByRole("dialog", { name: bo.t("viewer.title") });
    await expect(viewer).toBeVisible();
    await expect.poll(async () => (await viewer.boundingBox())?.y).toBe(32);
    await expectAccessible(bo, "viewer in the desktop application", "all");
  });
});

for (const language of inLanguages("zh-TW")) {
  test(`title bar, question before closing and settings are accessible and fit, in ${language}`, async ({
    friends: _,
    cast,
    openDesktop,
  }) => {
    const bo = await openDesktop({ ...cast.bo, language });
    const look = async (name: string) => {
      await expectAccessible(bo, name, "all");
      for (const width of [1440, 940]) {
        await bo.page.setViewportSize({ width, height: width === 940 ? 600 : 900 });
        await expectFits(bo, name);
        await takePictures(bo, name);
      }
      await bo.page.setViewportSize({ width: 1440, height: 900 });
    };
    await look("desktop login");
    await logInFirst(bo);
    await bo.openChat(cast.lin.nickName);
    await look("desktop shell");
    await tellPage(bo.page, "closeRequested", null);
    await expect(bo.dialog()).toBeVisible();
    await look("desktop close question");
    await bo.answerDialog("app.cancel");
    await openDesktopSettings(bo);
    await look("desktop settings");
  });
}

test.describe("closing", () => {
  test("DT2 the window asks before it closes, on the login screen too: cancel, keep in the tray, quit, remembered if wanted", async ({
    cast,
    openDesktop,
  }) => {
    const bo = await openDesktop(cast.bo);
    const answers = () => desktopInputs(bo.page, "confirmClose");
    await tellPage(bo.page, "closeRequested", null);
    await bo.answerDialog("app.cancel");
    await expect(bo.dialog()).toHaveCount(0);
    expect(await answers()).toEqual([]);
    await tellPage(bo.page, "closeRequested", null);
    await bo.answerDialog("desktop.close.hide");
    await expect(bo.dialog()).toHaveCount(0);
    await tellPage(bo.page, "closeRequested", null);
    await bo.byLabel("desktop.close.remember").check();
    await bo.answerDialog("desktop.close.quit");
    await expect.poll(answers).toEqual([
      { action: "hide", isRemembered: false },
      { action: "quit", isRemembered: true },
    ]);
  });

  test("DT2 the menu's command asks the same, and a draft is saved before the application quits", async ({
    friends: _,
    cast,
    openDesktop,
  }) => {
    const bo = await openDesktop(cast.bo);
    await logInFirst(bo);
    await bo.openChat(cast.lin.nickName);
    await bo.composer().fill("half a sentence");
    await bo.button("nav.menu").click();
    await bo.page.getByRole("menuitem", { name: bo.t("menu.closeApp"), exact: true }).click();
    await expect(bo.dialog()).toContainText(bo.t("desktop.close.body"));
    await expect(bo.dialog()).not.toContainText(bo.t("desktop.close.call"));
    await bo.answerDialog("desktop.close.quit");
    await expect
      .poll(() => desktopInputs(bo.page, "confirmClose"))
      .toEqual([{ action: "quit", isRemembered: false }]);
    // It stays signed in until the window is gone.
    await expect(bo.page).toHaveURL(/\/home\/chat\//);
    await bo.page.reload();
    await expect(bo.composer()).toHaveValue("half a sentence");
  });

  test("DT2 the question names a running upload", async ({ friends: _, cast, openDesktop }) => {
    const bo = await openDesktop(cast.bo);
    await logInFirst(bo);
    await bo.openChat(cast.lin.nickName);
    // It never ends.
    await bo.context.route(/upload/, () => undefined);
    await choose(bo, "attach.pickFile", [text("report.txt")]);
    await bo.button("chat.send").click();
    await tellPage(bo.page, "closeRequested", null);
    await expect(bo.dialog()).toContainText(bo.t("desktop.close.uploads", { count: 1 }));
    await bo.answerDialog("app.cancel");
  });
});

test.describe("the server", () => {
  test("DT6 the first start asks for one, at login and at registration; later it is named and can be changed", async ({
    friends: _,
    cast,
    openDesktop,
  }) => {
    const bo = await openDesktop(cast.bo);
    await expect(bo.byLabel("server.address")).toBeVisible();
    await expect(bo.button("desktop.server.title")).toBeDisabled();
    // The page is of no server.
    await expect(bo.page.getByText(new URL(bo.url).host)).toHaveCount(0);
    await bo.byLabel("login.username").fill(cast.bo.userName);
    await bo.byLabel("login.password").fill("correct-horse-7");
    await bo.button("login.submit").click();
    await expect(bo.text("server.required")).toBeVisible();
    await bo.page.getByRole("link", { name: bo.t("login.register"), exact: true }).click();
    await expect(bo.byLabel("desktop.server.title")).toBeDisabled();
    await expect(bo.byLabel("desktop.server.title")).toBeChecked();
    await expect(bo.byLabel("server.address")).toBeVisible();
    await bo.link("register.back").click();

    await logInFirst(bo);
    await openDesktopSettings(bo);
    await expect(bo.dialog()).toContainText(bo.url);
    await bo.page.keyboard.press("Escape");
    await bo.logOut();
    await expect(bo.page.getByText(new URL(bo.url).host)).toBeVisible();
    await expect(bo.byLabel("server.address")).toHaveCount(0);
    await bo.button("desktop.server.title").click();
    await expect(bo.byLabel("server.address")).toHaveValue(bo.url);
    await bo.byLabel("server.address").fill("http://127.0.0.1:1");
    // A closed box keeps the server in use.
    await bo.button("desktop.server.title").click();
    await expect(bo.byLabel("server.address")).toHaveCount(0);
    await bo.logIn();
  });

  test("DT9 a link with a server fills it in while nobody is signed in, and otherwise says to sign out first", async ({
    friends: _,
    cast,
    openDesktop,
  }) => {
    const link = (address: string) => ({ kind: "server", address }) as const;
    const bo = await openDesktop(cast.bo, {
      answers: { start: { ...START, link: link("im.example.org") } },
    });
    await expect(bo.byLabel("server.address")).toHaveValue("im.example.org");
    await tellPage(bo.page, "linkOpened", link(bo.url));
    await expect(bo.byLabel("server.address")).toHaveValue(bo.url);
    await bo.logIn();
    await tellPage(bo.page, "linkOpened", link("other.example.org"));
    await expect(bo.text("desktop.link.signedIn", { address: "other.example.org" })).toBeVisible();
    await bo.logOut();
    await expect(bo.byLabel("server.address")).toHaveCount(0);
  });
});

test("DT10 a link opens the chat of a friend or a group, at the start and later, and of nobody else", async ({
  friends,
  cast,
  server,
  openDesktop,
}) => {
  const group = await createGroup(friends.lin, `Links ${cast.bo.userName}`, [friends.bo]);
  const stranger = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  const chat = (kind: "private" | "group", id: number) => ({ kind: "chat", chat: kind, id }) as const;
  const bo = await openDesktop(cast.bo, {
    answers: { start: { ...START, link: chat("private", friends.lin.id) } },
  });
  await logInFirst(bo);
  const heading = bo.page.getByRole("main").getByRole("heading").first();
  await expect(heading).toHaveText(cast.lin.nickName);
  await tellPage(bo.page, "linkOpened", chat("group", group.id));
  await expect(heading).toContainText(group.name);
  await tellPage(bo.page, "linkOpened", chat("private", stranger.id));
  await bo.expectToast(bo.t("error.friend.notFriend"));
  await tellPage(bo.page, "linkOpened", chat("group", group.id + 1_000));
  await bo.expectToast(bo.t("error.group.notMember"));
  await expect(heading).toContainText(group.name);
});

test.describe("attention", () => {
  /** Signs in and lets the window lose the focus. */
  async function openInBackground(
    openDesktop: DesktopFixtures["openDesktop"],
    options: PersonOptions,
  ): Promise<Person> {
    const person = await openDesktop(options);
    await logInFirst(person);
    // Messages that are loaded at sign-in are no news.
    await expect(person.page.getByRole("listbox", { name: person.t("chat.list") })).toContainText("earlier");
    await beAway(person);
    return person;
  }

  test("DT4 the application hears the unread number, and 0 at sign-out", async ({
    friends,
    cast,
    openDesktop,
  }) => {
    const bo = await openDesktop(cast.bo);
    await logInFirst(bo);
    await sendText(friends.lin, friends.bo, "one");
    await sendText(friends.lin, friends.bo, "two");
    const last = async () => (await desktopInputs(bo.page, "setUnread")).at(-1);
    await expect.poll(last).toBe(2);
    await bo.logOut();
    await expect.poll(last).toBe(0);
  });

  test("DT5 the window flashes for what would notify, for a mention even without notifications, and for a call", async ({
    friends,
    cast,
    openDesktop,
    openSignedIn,
  }) => {
    const group = await createGroup(friends.lin, `Flash ${cast.bo.userName}`, [friends.bo]);
    await sendText(friends.lin, friends.bo, "earlier");
    const bo = await openInBackground(openDesktop, cast.bo);
    const flashes = async () => (await desktopInputs(bo.page, "drawAttention")).length;
    await sendText(friends.lin, friends.bo, "ordinary");
    await expect.poll(flashes).toBe(1);
    await bo.page.evaluate((id) => localStorage.setItem(`parley.notifications.${id}`, "off"), friends.bo.id);
    await sendText(friends.lin, friends.bo, "quiet");
    await expect(bo.row(cast.lin.nickName)).toContainText("quiet");
    expect(await flashes()).toBe(1);
    await sendToGroup(friends.lin, group.id, `@${cast.bo.nickName} look`, { atUserIds: [friends.bo.id] });
    await expect.poll(flashes).toBe(2);
    const lin = await openSignedIn(cast.lin);
    await lin.openChat(cast.bo.nickName);
    await call(lin, bo);
    await expect(prompt(bo)).toBeVisible();
    // The prompt, too, is below the title bar.
    await expect.poll(async () => (await prompt(bo).boundingBox())?.y).toBeGreaterThanOrEqual(32);
    await expect.poll(flashes).toBe(3);
    await tellPage(bo.page, "closeRequested", null);
    await expect(bo.page.getByRole("dialog")).toContainText(bo.t("desktop.close.call"));
  });
});

/** Opens the section that only the desktop application has. */
async function openDesktopSettings(person: Person): Promise<void> {
  await person.openSettings("general");
  await person.page.getByRole("tab", { name: person.t("desktop.settings.title"), exact: true }).click();
  await expect(person.byLabel("desktop.settings.zoom")).toBeVisible();
}

test("DT3 the settings of the device are shown, saved, and shown again when the application changes them", async ({
  friends: _,
  cast,
  openDesktop,
}) => {
  const bo = await openDesktop(cast.bo);
  await logInFirst(bo);
  await openDesktopSettings(bo);
  const dialog = bo.dialog();
  const saved = () => desktopInputs(bo.page, "changeSettings");
  await expect(dialog.getByRole("radio", { name: bo.t("desktop.settings.closeAsk") })).toBeChecked();
  await dialog.getByText(bo.t("desktop.settings.closeHide"), { exact: true }).click();
  await expect(dialog.getByRole("radio", { name: bo.t("desktop.settings.closeHide") })).toBeChecked();
  await dialog.getByRole("switch", { name: bo.t("desktop.settings.attention") }).click();
  await dialog.getByRole("switch", { name: bo.t("desktop.settings.login") }).click();
  await expect(dialog.getByRole("switch", { name: bo.t("desktop.settings.login") })).toBeChecked();
  await bo.byLabel("desktop.settings.zoom").selectOption("125");
  await expect
    .poll(saved)
    .toEqual([
      { closeAction: "hide" },
      { drawsAttention: false },
      { opensAtLogin: true },
      { zoomPercent: 125 },
    ]);
  await tellPage(bo.page, "settingsChanged", { ...START.settings, zoomPercent: 120 });
  await expect(bo.byLabel("desktop.settings.zoom")).toHaveValue("120");
});

test("DT4 DT17 the application hears the language, and the account's devices name it", async ({
  friends: _,
  cast,
  openDesktop,
}) => {
  const bo = await openDesktop(cast.bo);
  const languages = () => desktopInputs(bo.page, "setLanguage");
  await expect.poll(languages).toEqual(["en-US"]);
  await bo.byLabel("app.language").selectOption("zh-TW");
  await expect.poll(languages).toEqual(["en-US", "zh-TW"]);
  await bo.page.locator("select").first().selectOption("en-US");
  await logInFirst(bo);
  await bo.openSettings("security");
  await expect(bo.dialog()).toContainText(/Parley desktop · \w+/);
  await expect(bo.dialog()).not.toContainText("Chrome");
});

test("DT17 web push, the service worker and the manifest are for browsers, where nothing of the desktop is", async ({
  friends: _,
  cast,
  openDesktop,
  openLogin,
}) => {
  const bo = await openDesktop(cast.bo);
  await logInFirst(bo);
  await expect(bo.page.locator('link[rel="manifest"]')).toHaveCount(0);
  await bo.openSettings("notifications");
  await expect(bo.dialog().getByText(bo.t("settings.sounds"), { exact: true })).toBeVisible();
  await expect(bo.dialog().getByText(bo.t("settings.push"), { exact: true })).toHaveCount(0);
  // The server of the test speaks http, and no service worker is missed.
  await bo.page.getByRole("tab", { name: bo.t("settings.connection"), exact: true }).click();
  await expect(bo.text("check.secure.plain")).toBeVisible();
  await expect(bo.text("check.worker")).toHaveCount(0);

  const lin = await openLogin(cast.lin);
  const loaded: string[] = [];
  lin.page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await lin.page.reload();
  await lin.logIn();
  await expect(lin.page.locator('link[rel="manifest"]')).toHaveCount(1);
  await expect(titleBar(lin)).toHaveCount(0);
  await expect.poll(() => topOf(lin, "main")).toBe(0);
  await lin.openSettings("general");
  await expect(lin.page.getByRole("tab")).toHaveCount(9);
  expect(loaded.some((path) => path.includes("/shell-"))).toBe(true);
  expect(loaded.filter((path) => path.includes("desktop"))).toEqual([]);
});
