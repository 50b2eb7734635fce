/** Puts the parts of the desktop application together. */
import { join } from "node:path";
import type { DesktopInput } from "../bridge/desktop-bridge.ts";
import { LINK_SCHEME, parseDeepLink, type DeepLink } from "../bridge/deep-link.ts";
import { createClientFiles } from "./client-files.ts";
import { Closing } from "./closing.ts";
import { recoverFromCrashes } from "./crash-recovery.ts";
import type { ElectronParts, Platform, SessionPart } from "./electron-parts.ts";
import { createOpenOutside, guardPages, guardSession } from "./guards.ts";
import type { Log } from "./log-file.ts";
import { createLoginStart, HIDDEN_ARGUMENT } from "./login-start.ts";
import { MainWindow } from "./main-window.ts";
import { applicationMenu, textMenu, zoomed, type Zoom } from "./menus.ts";
import { createNativeQuestions } from "./native-questions.ts";
import { SystemNotifications } from "./notifications.ts";
import { CLIENT_SCHEME } from "./own-origin.ts";
import { PageBridge, type DesktopAnswers } from "./page-bridge.ts";
import { Screens } from "./screens.ts";
import { Secrets } from "./secrets.ts";
import { SettingsOfDevice } from "./settings.ts";
import { languageOfSystem, translator, type Language } from "./texts.ts";
import { UnreadSigns } from "./unread-signs.ts";

/** By this name Windows knows the notifications and the taskbar button of the application. */
const APPLICATION_ID = "org.parley.desktop";

/** What the application knows of the process and the system. */
export interface Host {
  readonly platform: Platform;
  /** With the executable first. */
  readonly argv: readonly string[];
  readonly executable: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** The folder of the built client. */
  readonly webFolder: string;
  /** The file of the preload script. */
  readonly preload: string;
  readonly hasTrayHost: () => Promise<boolean>;
}

/**
 * Starts the application, or hands its link to the one that runs already. Call it before Electron is ready. Resolves when the window is
 * there.
 */
export async function startApplication(electron: ElectronParts, host: Host, log: Log): Promise<void> {
  const { app, protocol } = electron;
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  protocol.registerSchemesAsPrivileged([
    {
      scheme: CLIENT_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
  // A checkout would take the links of the application that is installed. Packages say so too, but on Linux only they can, and elsewhere a
  // folder that somebody copied has no installer.
  if (app.isPackaged && host.platform !== "linux" && !app.setAsDefaultProtocolClient(LINK_SCHEME))
    log.error("the system takes no links");
  if (host.platform === "win32") app.setAppUserModelId(APPLICATION_ID);
  let link = linkIn(host.argv);
  let application: Application | null = null;
  const open = (opened: DeepLink | null): void => {
    if (application === null) link = opened ?? link;
    else application.open(opened);
  };
  app.on("open-url", (event, text) => {
    event.preventDefault();
    open(parseDeepLink(text));
  });
  app.on("second-instance", (_event, argv) => {
    // The system started it once more at login.
    if (!argv.includes(HIDDEN_ARGUMENT)) open(linkIn(argv));
  });
  await app.whenReady();
  application = new Application(electron, host, log);
  application.start(link);
}

function linkIn(argv: readonly string[]): DeepLink | null {
  for (const argument of argv) {
    const link = parseDeepLink(argument);
    if (link !== null) return link;
  }
  return null;
}

/** One run of the application, from the time at which Electron is ready. */
class Application {
  readonly #electron: ElectronParts;
  readonly #host: Host;
  readonly #log: Log;
  readonly #session: SessionPart;
  readonly #settings: SettingsOfDevice;
  readonly #window: MainWindow;
  readonly #bridge: PageBridge;
  readonly #closing: Closing;
  readonly #signs: UnreadSigns;
  readonly #notifications: SystemNotifications;
  readonly #screens: Screens;
  readonly #secrets: Secrets;
  #language: Language;
  #waitingLink: DeepLink | null = null;

  constructor(electron: ElectronParts, host: Host, log: Log) {
    const { app } = electron;
    const { platform } = host;
    this.#electron = electron;
    this.#host = host;
    this.#log = log;
    this.#language = languageOfSystem(app.getPreferredSystemLanguages());
    const userData = app.getPath("userData");
    this.#settings = new SettingsOfDevice(
      join(userData, "settings.json"),
      createLoginStart(app, platform, host),
      log,
    );
    electron.protocol.handle(CLIENT_SCHEME, createClientFiles(host.webFolder));
    this.#session = electron.defaultSession();
    guardSession(this.#session, { platform, systemPreferences: electron.systemPreferences, log });
    guardPages(app, createOpenOutside(electron.shell, log), log);
    // Until the language is known; with a window, Electron would load a dictionary at once.
    this.#session.setSpellCheckerEnabled(false);
    this.#window = new MainWindow(electron, {
      platform,
      isDevelopment: !app.isPackaged,
      preload: host.preload,
      icon: join(host.webFolder, "icons/icon-512.png"),
      file: join(userData, "window.json"),
      hasTrayHost: host.hasTrayHost,
      log,
    });
    const { native } = this.#window;
    const quit = (): void => this.#quit();
    const questions = createNativeQuestions(electron.dialog, (id) => translator(this.#language)(id));
    this.#bridge = new PageBridge(native.webContents);
    this.#closing = new Closing({
      window: this.#window,
      bridge: this.#bridge,
      settings: this.#settings,
      questions,
      quit,
      log,
    });
    recoverFromCrashes(native.webContents, { questions, quit, log });
    const trayIcon = platform === "darwin" ? "icons/monochrome-512.png" : "icons/icon-192.png";
    this.#signs = new UnreadSigns(
      {
        electron,
        platform,
        window: native,
        settings: this.#settings,
        icon: join(host.webFolder, trayIcon),
        show: () => this.#window.show(),
        quit,
      },
      translator(this.#language),
    );
    this.#notifications = new SystemNotifications({
      electron,
      platform,
      onActed: (acted) => {
        // Rejecting a call needs no window.
        if (acted.action !== "reject") this.#window.show();
        this.#bridge.tell("notificationActed", acted);
      },
      log,
    });
    this.#screens = new Screens({ electron, platform, window: native, bridge: this.#bridge, log });
    this.#secrets = new Secrets(electron.safeStorage, platform, log);
  }

  start(link: DeepLink | null): void {
    const { app, ipcMain } = this.#electron;
    this.#waitingLink = link;
    this.#listen();
    this.#screens.shareOn(this.#session);
    this.#bridge.answer(ipcMain, this.#answers(), this.#log);
    this.#speak(this.#language);
    const isAtLogin =
      this.#host.argv.includes(HIDDEN_ARGUMENT) ||
      (this.#host.platform === "darwin" && app.getLoginItemSettings().wasOpenedAtLogin);
    this.#log.info("started", { platform: this.#host.platform, isAtLogin });
    this.#window.load(isAtLogin && link === null);
  }

  /** Shows the window, with what a link opens. The link waits for a page that has not started. */
  open(link: DeepLink | null): void {
    this.#window.show();
    if (link !== null && !this.#bridge.tell("linkOpened", link)) this.#waitingLink = link;
  }

  #listen(): void {
    const { app, powerMonitor } = this.#electron;
    const { native } = this.#window;
    const contents = native.webContents;
    app.on("before-quit", () => this.#closing.beginQuit());
    app.on("will-quit", () => {
      this.#notifications.closeAll();
      this.#signs.end();
    });
    app.on("activate", () => this.#window.show());
    powerMonitor.on("shutdown", () => this.#quit());
    // Windows ends the application without asking it to quit.
    native.on("session-end", () => {
      this.#closing.beginQuit();
      this.#window.save();
    });
    this.#bridge.onEnd(() => this.#notifications.closeAll());
    this.#window.onStateChange((state) => this.#bridge.tell("windowChanged", state));
    this.#settings.onChange((settings) => {
      contents.setZoomFactor(settings.zoomPercent / 100);
      this.#bridge.tell("settingsChanged", settings);
    });
    contents.on("dom-ready", () => contents.setZoomFactor(this.#settings.current.zoomPercent / 100));
    contents.on("zoom-changed", (_event, direction) => this.#zoom(direction));
    // What the page has not sent waits on the device, and a page that could refuse would make the window impossible to close.
    contents.on("will-prevent-unload", (event) => event.preventDefault());
    contents.on("context-menu", (_event, params) => {
      const items = textMenu(params, translator(this.#language), (word) => contents.replaceMisspelling(word));
      if (items.length > 0) this.#electron.popUpMenu(items);
    });
  }

  #answers(): DesktopAnswers {
    const done = (_result: void): null => null;
    return {
      start: () => {
        const link = this.#waitingLink;
        this.#waitingLink = null;
        return { settings: this.#settings.current, window: this.#window.state, link };
      },
      changeSettings: (changes) => this.#settings.change(changes),
      controlWindow: (action) => done(this.#control(action)),
      confirmClose: (answer) => done(this.#closing.confirm(answer)),
      setLanguage: (language) => done(this.#speak(language)),
      setUnread: (count) => done(this.#signs.setUnread(count)),
      drawAttention: () => done(this.#signs.drawAttention()),
      showNotification: (notification) => this.#notifications.show(notification),
      closeNotification: (tag) => done(this.#notifications.close(tag)),
      captureScreen: () => this.#screens.capture(),
      chooseScreen: (choice) => done(this.#screens.choose(choice)),
      sealSecret: (secret) => this.#secrets.seal(secret),
      openSecret: (sealed) => this.#secrets.open(sealed),
    };
  }

  #control(action: DesktopInput<"controlWindow">): void {
    if (action === "close") this.#closing.request();
    else this.#window.control(action);
  }

  #zoom(zoom: Zoom): void {
    this.#settings.change({ zoomPercent: zoomed(this.#settings.current.zoomPercent, zoom) });
  }

  /** Menus, tray and dialogs in this language. */
  #speak(language: Language): void {
    this.#language = language;
    const t = translator(language);
    this.#electron.setApplicationMenu(
      applicationMenu({
        platform: this.#host.platform,
        isDevelopment: !this.#electron.app.isPackaged,
        t,
        zoom: (zoom) => this.#zoom(zoom),
      }),
    );
    this.#signs.translate(t);
    // No dictionary knows Chinese, and each word of it would be underlined. macOS has its own; for other systems Electron would download one
    // from a server that is not the person's.
    this.#session.setSpellCheckerEnabled(language === "en-US" && this.#host.platform === "darwin");
  }

  #quit(): void {
    this.#closing.beginQuit();
    this.#electron.app.quit();
  }
}
