import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import type { Vault } from "@parley/core/ports";

/** Encrypts with a key of the system's key store, which the main process uses. `seal` rejects where there is none. */
export function createDesktopVault(bridge: DesktopBridge): Vault {
  return {
    async seal(secret) {
      const sealed = await bridge.request("sealSecret", secret);
      if (sealed === null) throw new Error("the system has no key store");
      return sealed;
    },
    open: (sealed) => bridge.request("openSecret", sealed),
  };
}
