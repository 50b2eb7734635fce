import * as z from "zod/mini";
import { desktopSettings, type DesktopSettings } from "../bridge/desktop-bridge.ts";
import { openJsonFile, type JsonFile } from "./json-file.ts";
import type { Log } from "./log-file.ts";
import type { LoginStart } from "./login-start.ts";

const saved = z.omit(desktopSettings, { opensAtLogin: true });
type SavedSettings = z.infer<typeof saved>;

const DEFAULTS: SavedSettings = { closeAction: "ask", drawsAttention: true, zoomPercent: 100 };
const VERSION = 1;

/** What the person chose for this device. */
export class SettingsOfDevice {
  readonly #file: JsonFile<SavedSettings>;
  readonly #loginStart: LoginStart;
  readonly #listeners: ((settings: DesktopSettings) => void)[] = [];
  #current: DesktopSettings;

  constructor(path: string, loginStart: LoginStart, log: Log) {
    this.#file = openJsonFile(path, { version: VERSION, schema: saved, defaults: DEFAULTS }, log);
    this.#loginStart = loginStart;
    this.#current = { ...this.#file.read(), opensAtLogin: false };
    try {
      this.#current.opensAtLogin = loginStart.isOn();
    } catch (error) {
      log.error("the system does not say whether it starts the application", error);
    }
  }

  get current(): DesktopSettings {
    return this.#current;
  }

  onChange(listener: (settings: DesktopSettings) => void): void {
    this.#listeners.push(listener);
  }

  /** Returns all settings. Fails, and changes nothing, if the system does not take what concerns it. */
  change(changes: z.infer<typeof partialSettings>): DesktopSettings {
    const { opensAtLogin } = changes;
    if (opensAtLogin !== undefined && opensAtLogin !== this.#current.opensAtLogin)
      this.#loginStart.set(opensAtLogin);
    this.#current = desktopSettings.parse({ ...this.#current, ...changes });
    this.#file.write(saved.parse(this.#current));
    for (const listener of this.#listeners) listener(this.#current);
    return this.#current;
  }
}

const partialSettings = z.partial(desktopSettings);
