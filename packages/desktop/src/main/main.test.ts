import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions, NativeImage } from "electron";
import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { FakeElectron } from "../testing/fake-electron.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-main-"));
const fake = new FakeElectron(folder);
const exposed = new Map<string, unknown>();
const LISTENED = ["uncaughtExceptionMonitor", "unhandledRejection"] as const;
const before = LISTENED.map((event) => process.listeners(event as "unhandledRejection"));

/** The real module would look for the program of Electron. */
vi.mock("electron", () => ({
  ...fake,
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) },
  ipcRenderer: {},
  session: { defaultSession: fake.session },
  nativeImage: {
    createFromPath: fake.images.fromPath,
    createFromBuffer: fake.images.fromPng,
    createFromBitmap: fake.images.fromPixels,
  },
  Menu: {
    buildFromTemplate: (items: MenuItemConstructorOptions[]) => items,
    setApplicationMenu: fake.setApplicationMenu,
  },
  Notification: { isSupported: () => true },
  // What a constructor returns is the object that Electron makes.
  BrowserWindow: function (options: BrowserWindowConstructorOptions) {
    return fake.createWindow(options);
  },
  Tray: function (icon: NativeImage) {
    const tray = fake.createTray(icon);
    return Object.assign(tray, { setContextMenu: tray.setMenu.bind(tray) });
  },
}));

afterEach(() => {
  fake.app.emit("will-quit");
  LISTENED.forEach((event, place) => {
    for (const listener of process.listeners(event as "unhandledRejection"))
      if (!before[place]?.includes(listener)) process.removeListener(event, listener);
  });
  // Other tests share the module that the preload script configures.
  z.config({ jitless: false });
  rmSync(folder, { recursive: true });
});

test("the files that Electron starts make the window and the bridge", async () => {
  await import("./main.ts");
  fake.app.becomeReady();
  await expect.poll(() => fake.windows[0]?.address).toBe("app://parley/");
  expect(fake.window.options.webPreferences?.preload).toBe(
    join(import.meta.dirname, "../preload/preload.cjs"),
  );
  expect(fake.applicationMenu.length).toBeGreaterThan(0);
  expect(fake.trays[0]?.menu.length).toBeGreaterThan(0);
  expect(readFileSync(join(folder, "userData/logs/main.log"), "utf8")).toContain('"what":"started"');

  await import("../preload/preload.ts");
  expect([...exposed.keys()]).toEqual(["parleyDesktop"]);
  expect(exposed.get("parleyDesktop")).toMatchObject({ platform: process.platform });
});
