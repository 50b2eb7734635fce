/**
 * Electron's modules without Electron: what the main process uses of them, by their own types. A fake does what the documentation says of the
 * part that a test needs, and remembers its calls.
 */
import { tmpdir } from "node:os";
import type {
  BrowserWindowConstructorOptions,
  DesktopCapturerSource,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeImage,
  NotificationConstructorOptions,
  Size,
  SourcesOptions,
} from "electron";
import type { ElectronParts } from "../main/electron-parts.ts";
import { Fake, FakeEvent } from "./fake-events.ts";
import { FakeImage, FakeScreen, fakeSource } from "./fake-screen.ts";
import { FakeIpcMain, FakeProtocol, FakeSession } from "./fake-session.ts";
import { FakeApp, FakeNotification, FakeSafeStorage, FakeTray } from "./fake-system.ts";
import { FakeWindow } from "./fake-window.ts";

/** All of Electron that the application uses. The user's data lies in `folder`. */
export class FakeElectron implements ElectronParts {
  readonly app: FakeApp;
  readonly session = new FakeSession();
  readonly ipcMain = new FakeIpcMain();
  readonly protocol = new FakeProtocol();
  readonly safeStorage = new FakeSafeStorage();
  readonly screen = new FakeScreen();
  readonly windows: FakeWindow[] = [];
  readonly trays: FakeTray[] = [];
  readonly shown: FakeNotification[] = [];
  readonly openedOutside: string[] = [];
  readonly dialogs: MessageBoxOptions[] = [];
  /** What the person answers to the next native dialogs; without one, a dialog stays open. */
  readonly dialogAnswers: { response: number; checkboxChecked: boolean }[] = [];
  readonly askedDevices: string[] = [];
  readonly sourceRequests: SourcesOptions[] = [];
  sources: DesktopCapturerSource[] | Error = [fakeSource("screen:1:0", "1")];
  screenAccess: "granted" | "denied" | "not-determined" = "granted";
  grantsDevices = true;
  canNotify = true;
  applicationMenu: MenuItemConstructorOptions[] = [];
  contextMenu: MenuItemConstructorOptions[] | null = null;

  constructor(folder = tmpdir()) {
    this.app = new FakeApp(folder);
  }

  readonly nativeTheme = { shouldUseDarkColors: false };
  readonly powerMonitor = new Fake();
  readonly defaultSession = (): FakeSession => this.session;
  readonly setApplicationMenu = (items: MenuItemConstructorOptions[]): void => {
    this.applicationMenu = items;
  };
  readonly popUpMenu = (items: MenuItemConstructorOptions[]): void => {
    this.contextMenu = items;
  };
  readonly createWindow = (options: BrowserWindowConstructorOptions): FakeWindow => {
    const window = new FakeWindow(options, this.windows.length + 1);
    this.windows.push(window);
    this.app.emit("web-contents-created", new FakeEvent(), window.webContents);
    return window;
  };
  readonly createTray = (icon: NativeImage): FakeTray => {
    const tray = new FakeTray(icon);
    this.trays.push(tray);
    return tray;
  };
  readonly images = {
    fromPath: (path: string): FakeImage => new FakeImage(path),
    fromPng: (bytes: Uint8Array): FakeImage => new FakeImage(Buffer.from(bytes).toString()),
    fromPixels: (pixels: Uint8Array, size: Size): FakeImage => new FakeImage("pixels", size, pixels),
  };
  readonly notifications = {
    isSupported: (): boolean => this.canNotify,
    create: (options: NotificationConstructorOptions): FakeNotification => {
      const notification = new FakeNotification(options);
      this.shown.push(notification);
      return notification;
    },
  };
  readonly shell = {
    openExternal: async (address: string): Promise<void> => {
      this.openedOutside.push(address);
    },
  };
  readonly systemPreferences = {
    askForMediaAccess: async (device: "microphone" | "camera"): Promise<boolean> => {
      this.askedDevices.push(device);
      return this.grantsDevices;
    },
    getMediaAccessStatus: () => this.screenAccess,
  };
  readonly dialog = {
    showMessageBox: async (options: unknown) => {
      this.dialogs.push(options as MessageBoxOptions);
      const answer = this.dialogAnswers.shift();
      return answer ?? new Promise<never>(() => undefined);
    },
  };
  readonly desktopCapturer = {
    getSources: async (options: SourcesOptions): Promise<DesktopCapturerSource[]> => {
      this.sourceRequests.push(options);
      if (this.sources instanceof Error) throw this.sources;
      return this.sources;
    },
  };

  /** The first window, which the application makes. */
  get window(): FakeWindow {
    const [window] = this.windows;
    if (window === undefined) throw new Error("there is no window");
    return window;
  }
  /** The page asks for `start`. */
  startPage(): Promise<unknown> {
    return this.ipcMain.invoke("start", null);
  }
}
