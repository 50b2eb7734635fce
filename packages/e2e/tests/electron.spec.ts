import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, type ElectronApplication } from "@playwright/test";
import { desktopArguments, findElectron, startDesktopAgain, whyNoDesktopTest } from "../src/electron.ts";
import { expect, test as base } from "../src/fixtures.ts";
import { Person } from "../src/person.ts";

interface ElectronFixtures {
  dataFolder: string;
  application: ElectronApplication;
  /** Bo at the window of the application, which was never started before. */
  desktop: Person;
}

const test = base.extend<ElectronFixtures>({
  dataFolder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "parley-desktop-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  },
  application: async ({ dataFolder }, use) => {
    const executablePath = findElectron();
    if (executablePath === null) throw new Error("there is no Electron");
    const application = await _electron.launch({ executablePath, args: desktopArguments(dataFolder) });
    await use(application);
    // Closing asks, so the process is ended.
    application.process().kill("SIGKILL");
  },
  desktop: async ({ application, server, cast }, use) => {
    const desktop = Person.atWindow(await application.firstWindow(), server.url, cast.bo);
    await use(desktop);
    expect(desktop.console.unexpectedErrors()).toEqual([]);
  },
});

const reason = whyNoDesktopTest();
test.skip(reason !== null, reason ?? "");

test("at the first start a person names the server, signs in and chats, and a link opens the chat in the same window", async ({
  friends,
  cast,
  dataFolder,
  application,
  desktop,
  lin,
}) => {
  expect(new URL(desktop.page.url()).protocol).toBe("app:");
  expect(await desktop.page.evaluate(() => location.host)).toBe("parley");
  expect(await desktop.page.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe(
    "undefined",
  );
  await desktop.byLabel("server.address").fill(desktop.url);
  await desktop.logIn();

  await test.step("a second start hands its link over and ends", async () => {
    expect(await startDesktopAgain(dataFolder, `parley://chat/private/${friends.lin.id}`)).toBe(0);
    await expect(desktop.page.getByRole("log")).toBeVisible();
    expect(application.windows()).toHaveLength(1);
  });
  await test.step("messages arrive at both ends", async () => {
    await desktop.send("from a window of its own");
    await lin.openChat(cast.bo.nickName);
    await lin.expectMessage("from a window of its own");
    await lin.send("你好");
    await desktop.expectMessage("你好");
  });
});

test("the buttons of the bar control the window, and closing asks first", async ({
  application,
  desktop,
}) => {
  test.skip(process.platform === "darwin", "macOS draws its own buttons");
  const isMaximized = () =>
    application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMaximized());
  const before = await isMaximized();
  await desktop.button(before === true ? "desktop.bar.restore" : "desktop.bar.maximize").click();
  await expect.poll(isMaximized).toBe(before !== true);

  await desktop.button("desktop.bar.close").click();
  await expect(desktop.dialog()).toContainText(desktop.t("desktop.close.title"));
  const ended = new Promise<void>((resolve) => application.process().once("exit", () => resolve()));
  await desktop
    .dialog()
    .getByRole("button", { name: desktop.t("desktop.close.quit"), exact: true })
    .click();
  await ended;
});
