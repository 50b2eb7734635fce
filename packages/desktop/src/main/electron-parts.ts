/**
 * The parts of Electron that the main process uses, cut out of Electron's own types: `main.ts` passes the real ones, tests pass
 * `src/testing/fake-electron.ts`, and both must fit.
 */
import type {
  App,
  BrowserWindow,
  BrowserWindowConstructorOptions,
  DesktopCapturer,
  Dialog,
  IpcMain,
  MenuItemConstructorOptions,
  NativeImage,
  NativeTheme,
  Notification,
  NotificationConstructorOptions,
  PowerMonitor,
  Protocol,
  SafeStorage,
  Screen,
  Session,
  Shell,
  SystemPreferences,
  Tray,
  WebContents,
} from "electron";

export type Platform = "darwin" | "linux" | "win32";

export type AppPart = Pick<
  App,
  | "getAppPath"
  | "getLoginItemSettings"
  | "getPath"
  | "getPreferredSystemLanguages"
  | "isPackaged"
  | "on"
  | "quit"
  | "requestSingleInstanceLock"
  | "setAppUserModelId"
  | "setAsDefaultProtocolClient"
  | "setBadgeCount"
  | "setLoginItemSettings"
  | "whenReady"
>;

export type ContentsPart = Pick<
  WebContents,
  | "downloadURL"
  | "executeJavaScript"
  | "id"
  | "on"
  | "reload"
  | "replaceMisspelling"
  | "send"
  | "setWindowOpenHandler"
  | "setZoomFactor"
>;

export type WindowPart = Pick<
  BrowserWindow,
  | "flashFrame"
  | "focus"
  | "getBounds"
  | "getMediaSourceId"
  | "getNormalBounds"
  | "hide"
  | "isDestroyed"
  | "isFocused"
  | "isFullScreen"
  | "isMaximized"
  | "isMinimized"
  | "isVisible"
  | "loadURL"
  | "maximize"
  | "minimize"
  | "on"
  | "once"
  | "restore"
  | "setFullScreen"
  | "setOverlayIcon"
  | "show"
  | "unmaximize"
> & { readonly webContents: ContentsPart };

export type TrayPart = Pick<Tray, "destroy" | "on" | "setImage" | "setTitle" | "setToolTip"> & {
  setMenu(items: MenuItemConstructorOptions[]): void;
};

export type NotificationPart = Pick<Notification, "close" | "on" | "show">;

export type SessionPart = Pick<
  Session,
  | "on"
  | "setDisplayMediaRequestHandler"
  | "setPermissionCheckHandler"
  | "setPermissionRequestHandler"
  | "setSpellCheckerEnabled"
>;

/** Everything of Electron that the application is made of. What a class makes is a function here. */
export interface ElectronParts {
  readonly app: AppPart;
  readonly desktopCapturer: Pick<DesktopCapturer, "getSources">;
  readonly dialog: Pick<Dialog, "showMessageBox">;
  readonly ipcMain: Pick<IpcMain, "handle">;
  readonly nativeTheme: Pick<NativeTheme, "shouldUseDarkColors">;
  readonly powerMonitor: Pick<PowerMonitor, "on">;
  readonly protocol: Pick<Protocol, "handle" | "registerSchemesAsPrivileged">;
  readonly safeStorage: Pick<
    SafeStorage,
    "decryptStringAsync" | "encryptStringAsync" | "getSelectedStorageBackend" | "isAsyncEncryptionAvailable"
  >;
  readonly screen: Pick<Screen, "getAllDisplays" | "getDisplayMatching" | "getPrimaryDisplay">;
  readonly shell: Pick<Shell, "openExternal">;
  readonly systemPreferences: Pick<SystemPreferences, "askForMediaAccess" | "getMediaAccessStatus">;
  /** The session of all pages. Exists once the application is ready. */
  readonly defaultSession: () => SessionPart;
  readonly images: {
    fromPath(path: string): NativeImage;
    fromPng(bytes: Uint8Array): NativeImage;
    /** From premultiplied pixels of four bytes: blue, green, red, alpha. */
    fromPixels(pixels: Uint8Array, size: { width: number; height: number }, scaleFactor: number): NativeImage;
  };
  readonly notifications: {
    isSupported(): boolean;
    create(options: NotificationConstructorOptions): NotificationPart;
  };
  readonly createWindow: (options: BrowserWindowConstructorOptions) => WindowPart;
  readonly createTray: (icon: NativeImage) => TrayPart;
  readonly setApplicationMenu: (items: MenuItemConstructorOptions[]) => void;
  /** Opens a menu at the mouse. */
  readonly popUpMenu: (items: MenuItemConstructorOptions[]) => void;
}
