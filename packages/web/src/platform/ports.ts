import type { Database, Ports, Sound } from "@parley/core/runtime/ports";
import { browserClock } from "./clock.ts";
import { browserEnvironment } from "./environment.ts";
import { browserHttp } from "./http.ts";
import { guardedKeyValue, onCleared } from "./key-value.ts";
import { browserLog } from "./log.ts";
import { browserRandom } from "./random.ts";
import { browserSockets } from "./sockets.ts";
import { browserTabs } from "./tabs.ts";
import { lazyVault } from "./lazy-vault.ts";

export interface PortOptions {
  appVersion: string;
  /** The tag shown. */
  language: () => string;
  /** Comes late: whoever is not signed in needs no database, nor the code for it. */
  openDatabase: (name: string) => Promise<Database>;
  sound: Sound;
}

/** Everything the core asks of the world, as a browser gives it. */
export function browserPorts({ appVersion, language, openDatabase, sound }: PortOptions): Ports {
  const local = guardedKeyValue(() => localStorage);
  const clock = browserClock();
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
      vault: lazyVault(),
    },
    tabs: browserTabs(() => browserRandom.id()),
    sound,
    environment: browserEnvironment(appVersion, language),
    log: browserLog(local),
  };
}
