import type { Vault } from "@parley/core/ports";

/** The vault, loaded at its first use; null where the browser cannot provide one (plain http). */
export function lazyVault(): Vault | null {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  if (subtle === undefined || !("indexedDB" in globalThis)) return null;
  let vault: Promise<Vault> | null = null;
  const load = () => {
    vault ??= import("./vault.ts").then(({ createVault }) => createVault(subtle));
    return vault;
  };
  return {
    seal: async (secret) => (await load()).seal(secret),
    open: async (sealed) => (await load()).open(sealed),
  };
}
