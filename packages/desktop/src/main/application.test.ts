import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { FakeElectron } from "../testing/fake-electron.ts";
import { FakeEvent } from "../testing/fake-events.ts";
import { fakeDisplay } from "../testing/fake-screen.ts";
import { clickItem } from "../testing/fake-system.ts";
import { applicationOfEachTest } from "../testing/test-application.ts";
import { TestLog } from "../testing/test-log.ts";
import { startApplication } from "./application.ts";

const application = applicationOfEachTest();

const electron = () => application.electron;
const window = () => application.electron.window;
const CHAT = { kind: "chat", chat: "group", id: 3 };

describe("the window", () => {
  test.each(["linux", "win32", "darwin"] as const)("has safe pages on %s", async (platform) => {
    await application.start({ platform });
    expect(window().options.webPreferences).toMatchObject({
      preload: "/opt/parley/preload.cjs",
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      devTools: false,
    });
    expect(window().address).toBe("app://parley/");
  });

  test.each([
    ["linux", { frame: false }],
    ["win32", { frame: false }],
    ["darwin", { titleBarStyle: "hiddenInset" }],
  ] as const)("on %s is drawn by %o", async (platform, options) => {
    await application.start({ platform });
    expect(window().options).toMatchObject({ minWidth: 400, minHeight: 500, show: false, ...options });
    expect(window().options.frame === undefined).toBe(platform === "darwin");
  });

  test.each([
    [true, "#1b1b1d"],
    [false, "#ffffff"],
  ])("has the colour of the theme before the first paint (dark: %s)", async (isDark, colour) => {
    electron().nativeTheme.shouldUseDarkColors = isDark;
    await application.start();
    expect(window().options.backgroundColor).toBe(colour);
  });

  test("shows with its first paint", async () => {
    await application.start({}, { isPageStarted: false });
    expect(window().isVisible()).toBe(false);
    window().emit("ready-to-show");
    expect([window().isVisible(), window().isFocused()]).toEqual([true, true]);
  });

  test("comes back where it was, maximised as it was", async () => {
    await application.start();
    window().bounds = { x: 50, y: 60, width: 900, height: 700 };
    window().maximize();
    window().hide();
    await application.restart();
    expect(window().options).toMatchObject({ x: 50, y: 60, width: 900, height: 700 });
    expect(window().isMaximized()).toBe(true);
  });

  test.each([
    ["win32", "org.parley.desktop"],
    ["linux", ""],
  ] as const)("on %s belongs to the taskbar button %j", async (platform, id) => {
    await application.start({ platform });
    expect(electron().app.modelId).toBe(id);
  });

  test("is saved half a second after it was moved", async () => {
    await application.start();
    vi.useFakeTimers();
    window().bounds = { x: 51, y: 61, width: 901, height: 701 };
    window().emit("move");
    vi.advanceTimersByTime(500);
    expect(readFileSync(join(application.folder, "userData/window.json"), "utf8")).toContain('"x":51');
  });

  test("is saved when Windows ends the session", async () => {
    await application.start();
    window().bounds = { x: 52, y: 62, width: 902, height: 702 };
    window().emit("session-end");
    expect(readFileSync(join(application.folder, "userData/window.json"), "utf8")).toContain('"x":52');
  });

  test("comes back by the dock of macOS", async () => {
    await application.start({ platform: "darwin" });
    window().hide();
    electron().app.emit("activate");
    expect(window().isVisible()).toBe(true);
  });

  test("is not asked for anything after it was closed at the end", async () => {
    await application.start();
    electron().app.quit();
    window().close();
    window().hide();
    electron().app.emit("second-instance", {}, ["parley"]);
    expect(window().isVisible()).toBe(false);
  });

  test("of a display that is no longer there is visible", async () => {
    electron().screen.displays.push(fakeDisplay(2, { x: 1_920, y: 0, width: 1_920, height: 1_080 }, 1));
    await application.start();
    window().bounds = { x: 2_500, y: 60, width: 900, height: 700 };
    window().hide();
    await application.restart();
    expect(window().options.x).toBe(510);
  });

  test("does what the controls of the page say, and the page hears the state", async () => {
    await application.start();
    await application.ask("controlWindow", "toggleMaximize");
    expect(application.heard("windowChanged").at(-1)).toMatchObject({
      isMaximized: true,
      isFullScreen: false,
    });
    await application.ask("controlWindow", "toggleMaximize");
    expect(application.heard("windowChanged").at(-1)).toMatchObject({ isMaximized: false });
    window().setFullScreen(true);
    expect(application.heard("windowChanged").at(-1)).toMatchObject({ isFullScreen: true });
    window().setFullScreen(false);
    expect(application.heard("windowChanged").at(-1)).toMatchObject({ isFullScreen: false });
    await application.ask("controlWindow", "minimize");
    expect(application.heard("windowChanged").at(-1)).toMatchObject({ isFocused: false });
    expect(window().isMinimized()).toBe(true);
  });
});

describe("a damaged file of settings", () => {
  test.each(["settings.json", "window.json"])("%s does not prevent the start", async (name) => {
    mkdirSync(join(application.folder, "userData"));
    writeFileSync(join(application.folder, "userData", name), '{"version":1,"value":{"zoomPercent":9}}');
    await application.start();
    expect(await electron().startPage()).toMatchObject({
      settings: { closeAction: "ask", zoomPercent: 100 },
    });
    expect(application.log.said).toContain("a file cannot be read and its defaults are used");
  });
});

describe("a second start", () => {
  test("ends at once and makes no window", async () => {
    const second = new FakeElectron(application.folder);
    second.app.isFirst = false;
    await startApplication(
      second,
      {
        platform: "linux",
        argv: [],
        executable: "",
        environment: {},
        home: "",
        webFolder: "",
        preload: "",
        hasTrayHost: async () => true,
      },
      new TestLog(),
    );
    expect([second.app.isQuit, second.windows.length]).toEqual([true, 0]);
  });

  test("shows the window of the first and opens its link there", async () => {
    await application.start();
    window().hide();
    electron().app.emit("second-instance", {}, ["parley", "--some-switch", "parley://chat/group/3"]);
    expect([window().isVisible(), window().isFocused()]).toEqual([true, true]);
    expect(application.heard("linkOpened")).toEqual([CHAT]);
  });

  test("restores a minimised window, and no link is opened without one", async () => {
    await application.start();
    window().minimize();
    electron().app.emit("second-instance", {}, ["parley", "https://evil.example", "parley://chat/nonsense"]);
    expect(window().isMinimized()).toBe(false);
    expect(application.heard("linkOpened")).toEqual([]);
  });

  test("at login leaves the window hidden", async () => {
    await application.start();
    window().hide();
    electron().app.emit("second-instance", {}, ["parley", "--hidden"]);
    expect(window().isVisible()).toBe(false);
  });
});

describe("a link", () => {
  test("of the start waits for the page and is given once", async () => {
    await application.start({ argv: ["parley", "parley://chat/group/3"] }, { isPageStarted: false });
    expect(await electron().startPage()).toMatchObject({ link: CHAT });
    expect(await electron().startPage()).toMatchObject({ link: null });
  });

  test("that comes before the page has started waits for it", async () => {
    await application.start({}, { isPageStarted: false });
    electron().app.emit("second-instance", {}, ["parley", "parley://chat/group/3"]);
    expect(await electron().startPage()).toMatchObject({ link: CHAT });
    expect(application.heard("linkOpened")).toEqual([]);
  });

  test("of a second start that comes before the application is ready waits for the page", async () => {
    const started = application.start({}, { isPageStarted: false });
    electron().app.emit("second-instance", {}, ["parley", "parley://chat/group/3"]);
    await started;
    expect(await electron().startPage()).toMatchObject({ link: CHAT });
  });

  test("shows the window also when the application starts at login", async () => {
    await application.start({ argv: ["parley", "--hidden", "parley://chat/group/3"] });
    expect(window().isVisible()).toBe(true);
  });

  test.each([true, false])(
    "of macOS is opened, also before the application is ready: %s",
    async (isEarly) => {
      const event = new FakeEvent();
      const open = () => electron().app.emit("open-url", event, "parley://chat/group/3");
      const started = application.start({ platform: "darwin" }, { isPageStarted: false });
      if (isEarly) open();
      await started;
      if (!isEarly) open();
      expect(await electron().startPage()).toMatchObject({ link: CHAT });
      expect(event.defaultPrevented).toBe(true);
    },
  );

  test.each([
    ["win32", ["parley"]],
    ["darwin", ["parley"]],
    // There the package says so.
    ["linux", []],
  ] as const)("is registered on %s: %j", async (platform, schemes) => {
    await application.start({ platform });
    expect(electron().app.protocolClients).toEqual(schemes);
  });

  test("is not ours in a checkout", async () => {
    electron().app.isPackaged = false;
    await application.start();
    expect(electron().app.protocolClients).toEqual([]);
  });
});

describe("started at login", () => {
  test.each([
    ["linux", ["parley", "--hidden"], false],
    ["darwin", ["parley"], true],
  ] as const)(
    "on %s the window stays in the tray until somebody wants it",
    async (platform, argv, wasOpened) => {
      electron().app.wasOpenedAtLogin = wasOpened;
      await application.start({ platform, argv });
      expect(window().isVisible()).toBe(false);
      electron().trays[0]!.emit("click");
      // A click opens the menu on macOS.
      expect(window().isVisible()).toBe(platform === "linux");
      clickItem(electron().trays[0]!.menu, "Open Parley");
      expect(window().isVisible()).toBe(true);
    },
  );

  test("the window is minimised where nothing shows a tray icon", async () => {
    application.hasTray = false;
    await application.start({ argv: ["parley", "--hidden"] });
    await expect.poll(() => window().isMinimized()).toBe(true);
  });
});

describe("zoom", () => {
  const zoomPercent = () => window().webContents.zoomFactor * 100;

  test("follows menu, wheel and settings, is told to the page and kept", async () => {
    await application.start();
    clickItem(electron().applicationMenu, "Zoom in");
    expect(zoomPercent()).toBeCloseTo(110);
    expect(application.heard("settingsChanged")).toMatchObject([{ zoomPercent: 110 }]);
    window().webContents.emit("zoom-changed", {}, "in");
    expect(zoomPercent()).toBeCloseTo(125);
    clickItem(electron().applicationMenu, "Zoom out");
    expect(zoomPercent()).toBeCloseTo(110);
    clickItem(electron().applicationMenu, "Actual size");
    expect(zoomPercent()).toBeCloseTo(100);
    await application.ask("changeSettings", { zoomPercent: 175 });
    expect(zoomPercent()).toBeCloseTo(175);
    await application.restart();
    window().webContents.emit("dom-ready");
    expect(zoomPercent()).toBeCloseTo(175);
  });

  test("ends at its limits", async () => {
    await application.start();
    for (let press = 0; press < 20; press++) clickItem(electron().applicationMenu, "Zoom in");
    expect(zoomPercent()).toBeCloseTo(200);
    for (let press = 0; press < 20; press++) clickItem(electron().applicationMenu, "Zoom out");
    expect(zoomPercent()).toBeCloseTo(50);
  });
});

describe("the language", () => {
  test.each([
    ["zh-Hant-HK", "結束"],
    ["zh-TW", "結束"],
    ["zh-Hans-CN", "退出"],
    ["zh", "退出"],
    ["en-GB", "Quit"],
    ["fr-FR", "Quit"],
  ])("of the system %s is that of the tray at first: %s", async (tag, label) => {
    electron().app.languages = [tag];
    await application.start();
    expect(() => clickItem(electron().trays[0]!.menu, label)).not.toThrow();
  });

  test.each(["linux", "win32"] as const)(
    "is not checked on %s, which has no dictionary of its own",
    async (platform) => {
      await application.start({ platform });
      expect(electron().session.isSpellingChecked).toBe(false);
    },
  );

  test("of the page changes menus, tray and dialogs, and Chinese is not checked for spelling", async () => {
    await application.start({ platform: "darwin" });
    expect(electron().session.isSpellingChecked).toBe(true);
    await application.ask("setUnread", 2);
    await application.ask("setLanguage", "zh-CN");
    expect(electron().session.isSpellingChecked).toBe(false);
    expect(electron().trays[0]!.toolTip).toBe("Parley：2 条未读");
    expect(() => clickItem(electron().applicationMenu, "放大")).not.toThrow();
    window().webContents.reload();
    window().close();
    expect(electron().dialogs[0]!.buttons).toEqual(["留在后台运行", "退出", "取消"]);
  });
});

test("certificate errors are left to Electron, which refuses them", async () => {
  await application.start();
  expect(electron().app.heard).not.toContain("certificate-error");
  expect(electron().app.heard).not.toContain("select-client-certificate");
});

test("the client's scheme is privileged before the application is ready, and is served", async () => {
  const started = application.start();
  expect(electron().protocol.privileged).toEqual(["app"]);
  await started;
  const response = await electron().protocol.handlers.get("app")!(new Request("app://parley/missing.js"));
  expect(response.status).toBe(404);
});

test("developer tools belong to a checkout only", async () => {
  electron().app.isPackaged = false;
  await application.start();
  expect(window().options.webPreferences?.devTools).toBe(true);
  expect(JSON.stringify(electron().applicationMenu)).toContain("toggleDevTools");
  await application.restart();
  expect(JSON.stringify(electron().applicationMenu)).not.toContain("toggleDevTools");
});
