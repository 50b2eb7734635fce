/** Electron starts this file. */
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  app,
  BrowserWindow,
  desktopCapturer,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
} from "electron";
import { startApplication } from "./application.ts";
import type { ElectronParts, Platform, TrayPart } from "./electron-parts.ts";
import { createLogFile } from "./log-file.ts";
import { hasTrayHost } from "./tray-host.ts";

/** A desktop whose bus hangs must not let the window wait. */
const PROGRAM_TIMEOUT_MS = 2_000;

const electron: ElectronParts = {
  app,
  desktopCapturer,
  dialog,
  ipcMain,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  shell,
  systemPreferences,
  defaultSession: () => session.defaultSession,
  images: {
    fromPath: (path) => nativeImage.createFromPath(path),
    fromPng: (bytes) => nativeImage.createFromBuffer(Buffer.from(bytes)),
    fromPixels: (pixels, size, scaleFactor) =>
      nativeImage.createFromBitmap(Buffer.from(pixels), { ...size, scaleFactor }),
  },
  notifications: {
    isSupported: () => Notification.isSupported(),
    create: (options) => new Notification(options),
  },
  createWindow: (options) => new BrowserWindow(options),
  createTray: (icon): TrayPart => {
    const tray = new Tray(icon);
    return Object.assign(tray, {
      setMenu: (items: Electron.MenuItemConstructorOptions[]) =>
        tray.setContextMenu(Menu.buildFromTemplate(items)),
    });
  },
  setApplicationMenu: (items) => Menu.setApplicationMenu(Menu.buildFromTemplate(items)),
  popUpMenu: (items) => Menu.buildFromTemplate(items).popup(),
};

const platform: Platform =
  process.platform === "darwin" || process.platform === "win32" ? process.platform : "linux";
const run = promisify(execFile);
const log = createLogFile(join(app.getPath("userData"), "logs"), () => new Date());

process.on("uncaughtExceptionMonitor", (error) => log.error("an error was not caught", error));
process.on("unhandledRejection", (error) => log.error("a rejection was not handled", error));

startApplication(
  electron,
  {
    platform,
    argv: process.argv,
    executable: process.execPath,
    environment: process.env,
    home: homedir(),
    webFolder: join(import.meta.dirname, "../web"),
    preload: join(import.meta.dirname, "../preload/preload.cjs"),
    hasTrayHost: () =>
      hasTrayHost(
        platform,
        async (program, args) => (await run(program, args, { timeout: PROGRAM_TIMEOUT_MS })).stdout,
      ),
  },
  log,
).catch((error: unknown) => {
  log.error("the application did not start", error);
  dialog.showErrorBox("Parley", String(error));
  app.exit(1);
});
