import type { Ports } from "@parley/core/runtime/ports";
import { browserClock } from "./clock.ts";
import { browserEnvironment } from "./environment.ts";
import { browserHttp } from "./http.ts";
import { guardedKeyValue } from "./key-value.ts";
import { browserLog } from "./log.ts";
import { browserRandom } from "./random.ts";
import { browserSockets } from "./sockets.ts";
import { browserSound } from "./sound.ts";
import { browserTabs } from "./tabs.ts";
import { lazyVault } from "./lazy-vault.ts";

/** Everything the core asks of the world, as a browser gives it. */
export function browserPorts(appVersion: string, language: () => string): Ports {
  const local = guardedKeyValue(() => localStorage);
  return {
    clock: browserClock(),
    random: browserRandom,
    http: browserHttp,
    sockets: browserSockets,
    storage: {
      local,
      session: guardedKeyValue(() => sessionStorage),
      // Whoever is not signed in needs no database, nor the code for it.
      open: async (name) => (await import("./database.ts")).openDatabase(name),
      vault: lazyVault(),
    },
    tabs: browserTabs(() => browserRandom.id()),
    sound: browserSound(),
    environment: browserEnvironment(appVersion, language),
    log: browserLog(local),
  };
}
