import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import type { Vault } from "@parley/core/ports";

/** The vault, loaded at its first use: in the desktop application that of the system. Null where the browser cannot provide one (plain http). */
export function lazyVault(desktop: DesktopBridge | null): Vault | null {
  if (desktop !== null)
    return loadedAtUse(async () => (await import("./desktop-vault.ts")).createDesktopVault(desktop));
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  if (subtle === undefined || !("indexedDB" in globalThis)) return null;
  return loadedAtUse(async () => (await import("./vault.ts")).createVault(subtle));
}

function loadedAtUse(load: () => Promise<Vault>): Vault {
  let loading: Promise<Vault> | null = null;
  const vault = () => (loading ??= load());
  return {
    seal: async (secret) => (await vault()).seal(secret),
    open: async (sealed) => (await vault()).open(sealed),
  };
}
