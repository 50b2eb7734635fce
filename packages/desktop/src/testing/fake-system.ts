/** The application in its system: its process, menus, tray, notifications and key store. */
import type {
  LoginItemSettings,
  MenuItemConstructorOptions,
  NativeImage,
  NotificationConstructorOptions,
  Settings,
} from "electron";
import type { AppPart, ElectronParts, NotificationPart, TrayPart } from "../main/electron-parts.ts";
import { Fake, FakeEvent } from "./fake-events.ts";

export class FakeApp extends Fake implements AppPart {
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

export class FakeTray extends Fake implements TrayPart {
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

export class FakeNotification extends Fake implements NotificationPart {
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

/** Encrypts by writing backwards. */
export class FakeSafeStorage {
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
