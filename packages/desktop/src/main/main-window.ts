/** The window: where it appears, what its controls do, and where it goes when it is put away. */
import type { BrowserWindowConstructorOptions } from "electron";
import * as z from "zod/mini";
import type { DesktopInput, WindowState } from "../bridge/desktop-bridge.ts";
import type { ElectronParts, Platform, WindowPart } from "./electron-parts.ts";
import { openJsonFile, type JsonFile } from "./json-file.ts";
import type { Log } from "./log-file.ts";
import { CLIENT_ADDRESS } from "./own-origin.ts";
import { MIN_SIZE, visibleBounds } from "./window-bounds.ts";

/** Moving and sizing tell each pixel. */
const SAVE_DELAY_MS = 500;
/** The surfaces of both themes, so that the window does not flash before the first paint. */
const BACKGROUND = { light: "#ffffff", dark: "#1b1b1d" } as const;

const placement = z.object({
  bounds: z.nullable(z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })),
  isMaximized: z.boolean(),
});
type Placement = z.infer<typeof placement>;

interface WindowOptions {
  readonly platform: Platform;
  readonly isDevelopment: boolean;
  /** The file of the preload script. */
  readonly preload: string;
  readonly icon: string;
  /** The file in which the place and size are kept. */
  readonly file: string;
  /** Whether something shows tray icons now. Without it, a hidden window could not be found again. */
  readonly hasTrayHost: () => Promise<boolean>;
  readonly log: Log;
}

type WindowElectron = Pick<ElectronParts, "createWindow" | "nativeTheme" | "screen">;

export class MainWindow {
  readonly native: WindowPart;
  readonly #options: WindowOptions;
  readonly #file: JsonFile<Placement>;
  readonly #listeners: ((state: WindowState) => void)[] = [];
  #isMaximizedAtFirst: boolean;
  /** It is put away, or about to be. */
  #isAway = false;
  #saving: NodeJS.Timeout | undefined;

  constructor(electron: WindowElectron, options: WindowOptions) {
    this.#options = options;
    this.#file = openJsonFile(
      options.file,
      { version: 1, schema: placement, defaults: { bounds: null, isMaximized: false } },
      options.log,
    );
    const saved = this.#file.read();
    this.#isMaximizedAtFirst = saved.isMaximized;
    const main = electron.screen.getPrimaryDisplay();
    const others = electron.screen.getAllDisplays().filter(({ id }) => id !== main.id);
    const bounds = visibleBounds(saved.bounds, [main.workArea, ...others.map(({ workArea }) => workArea)]);
    const backgroundColor = electron.nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light;
    this.native = electron.createWindow({ ...windowOptions(options), ...bounds, backgroundColor });
    this.#listen();
  }

  get state(): WindowState {
    const { native } = this;
    return {
      isMaximized: native.isMaximized(),
      isFullScreen: native.isFullScreen(),
      isFocused: native.isFocused(),
    };
  }

  onStateChange(listener: (state: WindowState) => void): void {
    this.#listeners.push(listener);
  }

  /** Loads the client. The window shows with its first paint; after a start at login it stays away instead. */
  load(isHidden: boolean): void {
    if (isHidden) void this.putAway();
    else this.native.once("ready-to-show", () => this.show());
    this.native.loadURL(CLIENT_ADDRESS).catch((error: unknown) => {
      this.#options.log.error("the client did not load", error);
      // An empty window can be seen and closed.
      if (!isHidden) this.show();
    });
  }

  show(): void {
    const { native } = this;
    // The application ends.
    if (native.isDestroyed()) return;
    this.#isAway = false;
    if (this.#isMaximizedAtFirst) native.maximize();
    this.#isMaximizedAtFirst = false;
    if (native.isMinimized()) native.restore();
    native.show();
    native.focus();
  }

  /** Leaves the window in the tray; where nothing shows a tray, minimised. If it is shown before that, it stays. */
  async putAway(): Promise<void> {
    const { native } = this;
    this.#isAway = true;
    const hasTray = await this.#options.hasTrayHost();
    if (native.isDestroyed() || !this.#isAway) return;
    if (!hasTray) native.minimize();
    else if (native.isFullScreen()) {
      // On macOS, a hidden window in full screen leaves a black screen.
      native.once("leave-full-screen", () => this.#isAway && native.hide());
      native.setFullScreen(false);
    } else native.hide();
  }

  control(action: Exclude<DesktopInput<"controlWindow">, "close">): void {
    const { native } = this;
    if (action === "minimize") native.minimize();
    else if (native.isMaximized()) native.unmaximize();
    else native.maximize();
  }

  /** Keeps place and size now. */
  save(): void {
    clearTimeout(this.#saving);
    const { native } = this;
    if (native.isDestroyed()) return;
    // A window that was not shown yet is not maximised, although it will be.
    const isMaximized = native.isMaximized() || this.#isMaximizedAtFirst;
    this.#file.write({ bounds: native.getNormalBounds(), isMaximized });
  }

  #listen(): void {
    const { native } = this;
    const saveSoon = (): void => {
      clearTimeout(this.#saving);
      this.#saving = setTimeout(() => this.save(), SAVE_DELAY_MS);
    };
    const publish = (): void => {
      for (const listener of this.#listeners) listener(this.state);
    };
    native.on("resize", saveSoon);
    native.on("move", saveSoon);
    native.on("maximize", saveSoon);
    native.on("unmaximize", saveSoon);
    native.on("hide", () => this.save());
    native.on("close", () => this.save());
    native.on("maximize", publish);
    native.on("unmaximize", publish);
    native.on("enter-full-screen", publish);
    native.on("leave-full-screen", publish);
    native.on("focus", publish);
    native.on("blur", publish);
  }
}

function windowOptions({
  platform,
  isDevelopment,
  preload,
  icon,
}: WindowOptions): BrowserWindowConstructorOptions {
  return {
    title: "Parley",
    show: false,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    // The client draws the controls; on macOS the system does.
    ...(platform === "darwin" ? { titleBarStyle: "hiddenInset" } : { frame: false }),
    // Windows and macOS take the icon of the executable.
    ...(platform === "linux" && { icon }),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      devTools: isDevelopment,
    },
  };
}
