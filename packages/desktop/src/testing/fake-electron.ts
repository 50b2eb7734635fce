/**
 * Electron's modules without Electron: what the main process uses of them, by their own types. A fake does what the documentation says of the
 * part that a test needs, and remembers what it was told.
 */
import { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import type {
  AddRepresentationOptions,
  BrowserWindowConstructorOptions,
  DesktopCapturerSource,
  Display,
  HandlerDetails,
  LoginItemSettings,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeImage,
  NotificationConstructorOptions,
  Rectangle,
  Settings,
  Size,
  SourcesOptions,
  Streams,
  WindowOpenHandlerResponse,
} from "electron";
import type {
  AppPart,
  ContentsPart,
  ElectronParts,
  NotificationPart,
  SessionPart,
  TrayPart,
  WindowPart,
} from "../main/electron-parts.ts";

/** An object that tells events. */
class Fake {
  readonly #emitter = new EventEmitter();

  /** Electron returns the object for chains, which nobody uses, and a part of an object cannot be the object. */
  on(event: string, listener: (...args: never[]) => void): never {
    this.#emitter.on(event, listener as (...args: unknown[]) => void);
    return undefined as never;
  }

  once(event: string, listener: (...args: never[]) => void): never {
    this.#emitter.once(event, listener as (...args: unknown[]) => void);
    return undefined as never;
  }

  emit(event: string, ...args: unknown[]): void {
    this.#emitter.emit(event, ...args);
  }

  /** The events that somebody listens to. */
  get heard(): string[] {
    return this.#emitter.eventNames().map(String);
  }
}

/** An event that a listener may prevent. */
export class FakeEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

class FakeApp extends Fake implements AppPart {
  isPackaged = true;
  isFirst = true;
  isQuit = false;
  languages = ["en-US"];
  badge = 0;
  loginItem: Settings = { openAtLogin: false };
  wasOpenedAtLogin = false;
  readonly folder: string;
  readonly protocolClients: string[] = [];
  modelId = "";
  #becomeReady: () => void = () => undefined;
  readonly #ready = new Promise<void>((resolve) => {
    this.#becomeReady = resolve;
  });

  constructor(folder: string) {
    super();
    this.folder = folder;
  }
  becomeReady(): void {
    this.#becomeReady();
  }
  whenReady(): Promise<void> {
    return this.#ready;
  }
  getAppPath(): string {
    return `${this.folder}/app`;
  }
  getPath(name: string): string {
    return `${this.folder}/${name}`;
  }
  getPreferredSystemLanguages(): string[] {
    return this.languages;
  }
  getLoginItemSettings(): LoginItemSettings {
    return {
      openAtLogin: this.loginItem.openAtLogin ?? false,
      wasOpenedAtLogin: this.wasOpenedAtLogin,
      status: "enabled",
      executableWillLaunchAtLogin: false,
      launchItems: [],
    };
  }
  setLoginItemSettings(settings: Settings): void {
    this.loginItem = settings;
  }
  /** As Electron: windows may refuse to close, unless somebody has heard that this is a quit. */
  quit(): void {
    this.emit("before-quit", new FakeEvent());
    this.isQuit = true;
  }
  requestSingleInstanceLock(): boolean {
    return this.isFirst;
  }
  setAppUserModelId(id: string): void {
    this.modelId = id;
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    this.protocolClients.push(scheme);
    return true;
  }
  setBadgeCount(count = 0): boolean {
    this.badge = count;
    return true;
  }
}

class FakeContents extends Fake implements ContentsPart {
  readonly id: number;
  readonly sent: { channel: string; content: unknown }[] = [];
  readonly downloads: string[] = [];
  reloads = 0;
  isHanging = false;
  zoomFactor = 1;
  corrected: string | null = null;
  #openHandler: (details: HandlerDetails) => WindowOpenHandlerResponse = () => ({ action: "allow" });

  constructor(id: number) {
    super();
    this.id = id;
  }
  /** Runs nothing, and never ends while the page hangs. */
  executeJavaScript(): Promise<null> {
    return this.isHanging ? new Promise(() => undefined) : Promise.resolve(null);
  }
  reload(): void {
    this.reloads++;
    this.navigate();
  }
  downloadURL(url: string): void {
    this.downloads.push(url);
  }
  replaceMisspelling(text: string): void {
    this.corrected = text;
  }
  send(channel: string, content: unknown): void {
    this.sent.push({ channel, content });
  }
  setWindowOpenHandler(handler: (details: HandlerDetails) => WindowOpenHandlerResponse): void {
    this.#openHandler = handler;
  }
  /** The page opens a window; whether it may. */
  openWindow(url: string): WindowOpenHandlerResponse {
    const referrer = { url: "", policy: "no-referrer" } as const;
    return this.#openHandler({ url, frameName: "", features: "", disposition: "new-window", referrer });
  }
  setZoomFactor(factor: number): void {
    this.zoomFactor = factor;
  }
  /** A new document takes the place of the page. */
  navigate(): void {
    this.emit("did-start-navigation", { isMainFrame: true, isSameDocument: false });
    this.emit("did-navigate", {}, "app://parley/", 200, "OK");
  }
  /** What the page heard by this name. */
  heardBy(name: string): unknown[] {
    return this.sent.filter(({ channel }) => channel === `parley:${name}`).map(({ content }) => content);
  }
}

/** A window that does at once what it is told. */
export class FakeWindow extends Fake implements WindowPart {
  readonly webContents: FakeContents;
  readonly options: BrowserWindowConstructorOptions;
  bounds: Rectangle;
  address = "";
  overlay: { image: NativeImage | null; description: string } | null = null;
  isFlashing = false;
  #isDestroyed = false;
  #isFocused = false;
  #isFullScreen = false;
  #isMaximized = false;
  #isMinimized = false;
  #isVisible = false;

  constructor(options: BrowserWindowConstructorOptions, id: number) {
    super();
    this.options = options;
    this.webContents = new FakeContents(id);
    this.bounds = {
      x: options.x ?? 0,
      y: options.y ?? 0,
      width: options.width ?? 800,
      height: options.height ?? 600,
    };
    this.#isVisible = options.show ?? true;
  }
  /** The person or the application closes it. */
  close(): void {
    const event = new FakeEvent();
    this.emit("close", event);
    if (event.defaultPrevented) return;
    this.#isDestroyed = true;
    this.emit("closed");
  }
  flashFrame(flag: boolean): void {
    this.isFlashing = flag;
  }
  focus(): void {
    this.#isFocused = true;
    this.emit("focus");
  }
  blur(): void {
    this.#isFocused = false;
    this.emit("blur");
  }
  getBounds(): Rectangle {
    return this.bounds;
  }
  getMediaSourceId(): string {
    return "window:1:1";
  }
  getNormalBounds(): Rectangle {
    return this.bounds;
  }
  hide(): void {
    this.#isVisible = false;
    if (this.#isFocused) this.blur();
    this.emit("hide");
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  isFocused(): boolean {
    return this.#isFocused;
  }
  isFullScreen(): boolean {
    return this.#isFullScreen;
  }
  isMaximized(): boolean {
    return this.#isMaximized;
  }
  isMinimized(): boolean {
    return this.#isMinimized;
  }
  isVisible(): boolean {
    return this.#isVisible;
  }
  async loadURL(address: string): Promise<void> {
    this.address = address;
    this.webContents.navigate();
  }
  maximize(): void {
    this.#isMaximized = true;
    this.#isVisible = true;
    this.emit("maximize");
  }
  minimize(): void {
    this.#isMinimized = true;
    this.#isVisible = true;
    this.blur();
    this.emit("minimize");
  }
  restore(): void {
    this.#isMinimized = false;
    this.emit("restore");
  }
  setFullScreen(flag: boolean): void {
    this.#isFullScreen = flag;
    this.emit(flag ? "enter-full-screen" : "leave-full-screen");
  }
  setOverlayIcon(image: NativeImage | null, description: string): void {
    this.overlay = { image, description };
  }
  show(): void {
    this.#isVisible = true;
    this.focus();
    this.emit("show");
  }
  unmaximize(): void {
    this.#isMaximized = false;
    this.emit("unmaximize");
  }
}

/** A picture, named after what it was made from; transparent unless it gets pixels. */
export class FakeImage implements NativeImage {
  isMacTemplateImage = false;
  readonly source: string;
  readonly #size: Size;
  readonly #pixels: Uint8Array;

  constructor(source: string, size: Size = { width: 4, height: 4 }, pixels?: Uint8Array) {
    this.source = source;
    this.#size = size;
    this.#pixels = pixels ?? new Uint8Array(size.width * size.height * 4);
  }
  addRepresentation(_options: AddRepresentationOptions): void {
    throw new Error("the fake has one representation");
  }
  crop({ x: left, y: top, width, height }: Rectangle): NativeImage {
    return this.#sampled({ width, height }, (x, y) => [left + x, top + y]);
  }
  getAspectRatio(): number {
    return this.#size.width / this.#size.height;
  }
  getBitmap(): void {
    throw new Error("deprecated");
  }
  getNativeHandle(): Buffer {
    throw new Error("the fake has no handle");
  }
  getScaleFactors(): number[] {
    return [1];
  }
  getSize(): Size {
    return this.#size;
  }
  isEmpty(): boolean {
    return this.#size.width === 0;
  }
  isTemplateImage(): boolean {
    return this.isMacTemplateImage;
  }
  resize({ width = this.#size.width, height = this.#size.height }: Partial<Size>): NativeImage {
    const [across, down] = [this.#size.width / width, this.#size.height / height];
    return this.#sampled({ width, height }, (x, y) => [Math.floor(x * across), Math.floor(y * down)]);
  }
  setTemplateImage(option: boolean): void {
    this.isMacTemplateImage = option;
  }
  toBitmap(): Buffer {
    return Buffer.from(this.#pixels);
  }
  toDataURL(): string {
    throw new Error("the fake has no address");
  }
  toJPEG(): Buffer {
    throw new Error("the fake is not compressed");
  }
  toPNG(): Buffer {
    return Buffer.from(this.source);
  }
  /** A picture of this size with pixels of this one. */
  #sampled(size: Size, place: (x: number, y: number) => [number, number]): FakeImage {
    const pixels = new Uint8Array(size.width * size.height * 4);
    for (let y = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        const [column, row] = place(x, y);
        const start = (row * this.#size.width + column) * 4;
        pixels.set(this.#pixels.subarray(start, start + 4), (y * size.width + x) * 4);
      }
    }
    return new FakeImage(this.source, size, pixels);
  }
}

class FakeTray extends Fake implements TrayPart {
  image: NativeImage | string;
  title = "";
  toolTip = "";
  menu: MenuItemConstructorOptions[] = [];
  isDestroyed = false;

  constructor(image: NativeImage) {
    super();
    this.image = image;
  }
  destroy(): void {
    this.isDestroyed = true;
  }
  setImage(image: NativeImage | string): void {
    this.image = image;
  }
  setMenu(items: MenuItemConstructorOptions[]): void {
    this.menu = items;
  }
  setTitle(title: string): void {
    this.title = title;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
}

class FakeNotification extends Fake implements NotificationPart {
  readonly options: NotificationConstructorOptions;
  isShown = false;

  constructor(options: NotificationConstructorOptions) {
    super();
    this.options = options;
  }
  show(): void {
    this.isShown = true;
  }
  close(): void {
    this.isShown = false;
    this.emit("close", {});
  }
}

type CheckHandler = Parameters<SessionPart["setPermissionCheckHandler"]>[0];
type PermissionHandler = Parameters<SessionPart["setPermissionRequestHandler"]>[0];
type Permission = Parameters<NonNullable<PermissionHandler>>[1];
type ShareHandler = Parameters<SessionPart["setDisplayMediaRequestHandler"]>[0];

/** Which frame wants something. */
interface FakeFrame {
  origin?: string;
  isMainFrame?: boolean;
}

class FakeSession extends Fake implements SessionPart {
  isSpellingChecked = true;
  #checkHandler: CheckHandler = null;
  #permissionHandler: PermissionHandler = null;
  #shareHandler: ShareHandler = null;

  setDisplayMediaRequestHandler(handler: ShareHandler): void {
    this.#shareHandler = handler;
  }
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#checkHandler = handler;
  }
  setPermissionRequestHandler(handler: PermissionHandler): void {
    this.#permissionHandler = handler;
  }
  setSpellCheckerEnabled(isOn: boolean): void {
    this.isSpellingChecked = isOn;
  }
  /** Whether a page has the permission. As Electron, it has without a handler. */
  isPermitted(
    permission: Permission,
    { origin = "app://parley", isMainFrame = true }: FakeFrame = {},
  ): boolean {
    return this.#checkHandler?.(null, permission, origin, { isMainFrame }) ?? true;
  }
  /** A page asks for the permission. */
  askPermission(
    permission: Permission,
    { origin = "app://parley", isMainFrame = true }: FakeFrame = {},
    mediaTypes: ("audio" | "video")[] = [],
  ): Promise<boolean> {
    return new Promise((resolve) => {
      // No handler needs to know the page: it has the frame.
      const details = { isMainFrame, requestingUrl: `${origin}/`, mediaTypes };
      this.#permissionHandler?.(undefined as never, permission, resolve, details);
    });
  }
  /** A page calls `getDisplayMedia`. */
  shareScreen({ origin = "app://parley", hasAudio = false } = {}): Promise<Streams | null> {
    return new Promise((resolve) => {
      const request = { frame: null, securityOrigin: `${origin}/`, videoRequested: true, userGesture: true };
      this.#shareHandler?.({ ...request, audioRequested: hasAudio }, resolve);
    });
  }
}

/** Whoever sends a request: the page itself, unless the test says otherwise. */
export interface FakeSender {
  id?: number;
  origin?: string;
  isSubframe?: boolean;
}

class FakeIpcMain {
  readonly #handlers = new Map<string, (event: never, input: unknown) => unknown>();

  handle(channel: string, handler: (event: never, input: unknown) => unknown): void {
    this.#handlers.set(channel, handler);
  }
  /** Sends a request as a page does. */
  async invoke(name: string, input: unknown, sender: FakeSender = {}): Promise<unknown> {
    const handler = this.#handlers.get(`parley:${name}`);
    if (handler === undefined) throw new Error(`nobody answers ${name}`);
    const senderFrame = {
      origin: sender.origin ?? "app://parley",
      parent: sender.isSubframe === true ? {} : null,
    };
    return handler({ sender: { id: sender.id ?? 1 }, senderFrame } as never, input);
  }
}

class FakeProtocol {
  readonly privileged: string[] = [];
  readonly handlers = new Map<string, (request: Request) => Response | Promise<Response>>();

  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>): void {
    this.handlers.set(scheme, handler);
  }
  registerSchemesAsPrivileged(schemes: { scheme: string }[]): void {
    this.privileged.push(...schemes.map(({ scheme }) => scheme));
  }
}

/** Encrypts by writing backwards. */
class FakeSafeStorage {
  isAvailable = true;
  /** What a sealed text begins with. */
  mark = "sealed:";
  backend: ReturnType<ElectronParts["safeStorage"]["getSelectedStorageBackend"]> = "gnome_libsecret";

  async isAsyncEncryptionAvailable(): Promise<boolean> {
    return this.isAvailable;
  }
  getSelectedStorageBackend(): FakeSafeStorage["backend"] {
    return this.backend;
  }
  async encryptStringAsync(text: string): Promise<Buffer> {
    return Buffer.from(`${this.mark}${[...text].reverse().join("")}`);
  }
  async decryptStringAsync(sealed: Buffer): Promise<{ shouldReEncrypt: boolean; result: string }> {
    const [, text] = /^sealed:(.*)$/s.exec(sealed.toString()) ?? [];
    if (text === undefined) throw new Error("not sealed here");
    return { shouldReEncrypt: false, result: [...text].reverse().join("") };
  }
}

const area = (x: number, y: number, width: number, height: number): Rectangle => ({ x, y, width, height });

class FakeScreen {
  displays = [fakeDisplay(1, area(0, 0, 1_920, 1_080), 1)];

  getAllDisplays(): Display[] {
    return this.displays;
  }
  getPrimaryDisplay(): Display {
    return this.displays[0]!;
  }
  getDisplayMatching({ x }: Rectangle): Display {
    return (
      this.displays.find(({ bounds }) => x >= bounds.x && x < bounds.x + bounds.width) ?? this.displays[0]!
    );
  }
}

/** A display with these bounds, without a task bar. */
export function fakeDisplay(id: number, bounds: Rectangle, scaleFactor: number): Display {
  const display: Partial<Display> = { id, bounds, workArea: bounds, size: bounds, scaleFactor };
  return display as Display;
}

/** A screen or window that can be captured. */
export function fakeSource(
  id: string,
  displayId: string,
  thumbnail = new FakeImage(id),
): DesktopCapturerSource {
  return { id, name: `name of ${id}`, display_id: displayId, thumbnail, appIcon: new FakeImage("icon") };
}

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

/** Clicks an item of a menu, also of a menu inside. */
export function clickItem(items: readonly MenuItemConstructorOptions[], label: string): void {
  const find = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions | undefined => {
    for (const item of items) {
      if (item.label === label) return item;
      const inside = Array.isArray(item.submenu) ? find(item.submenu) : undefined;
      if (inside !== undefined) return inside;
    }
    return undefined;
  };
  const click = find(items)?.click;
  if (click === undefined) throw new Error(`no item ${label} can be clicked`);
  (click as () => void)();
}
