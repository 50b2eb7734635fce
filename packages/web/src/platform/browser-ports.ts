import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import type { Database, Ports, Sound } from "@parley/core/ports";
import { browserClock } from "./browser-clock.ts";
import { browserEnvironment } from "./browser-environment.ts";
import { browserHttp } from "./browser-http.ts";
import { guardedKeyValue, onCleared } from "./key-value.ts";
import { browserLog } from "./browser-log.ts";
import { browserRandom } from "./browser-random.ts";
import { browserSockets } from "./browser-sockets.ts";
import { browserWebPush } from "./browser-web-push.ts";
import { browserTabs } from "./browser-tabs.ts";
import { deleteIndexedDb } from "./indexed-db.ts";
import { lazyVault } from "./lazy-vault.ts";

/** What the ports need from the app. */
export interface PortOptions {
  appVersion: string;
  /** Returns the tag of the current language. */
  language: () => string;
  /** Loads the database code lazily, because it is not needed before sign-in. */
  openDatabase: (name: string) => Promise<Database>;
  sound: Sound;
  /** Null in a browser. */
  desktop: DesktopBridge | null;
}

/** The core's ports, implemented with browser APIs. */
export function browserPorts({ appVersion, language, openDatabase, sound, desktop }: PortOptions): Ports {
  const local = guardedKeyValue(() => localStorage);
  const clock = browserClock();
  const log = browserLog(local);
  return {
    clock,
    random: browserRandom,
    http: browserHttp,
    sockets: browserSockets(clock),
    storage: {
      local,
      session: guardedKeyValue(() => sessionStorage),
      onCleared,
      open: openDatabase,
      remove: deleteIndexedDb,
      vault: lazyVault(desktop),
    },
    tabs: browserTabs(() => browserRandom.id()),
    sound,
    webPush: browserWebPush(log),
    environment: browserEnvironment(appVersion, language),
    log,
  };
}
