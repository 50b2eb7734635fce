import type { SessionVO } from "@parley/protocol/entities";

/** Name such as "Chrome 149 · Windows", with the device's own name if it is another one; null if nothing is known. */
export function deviceName({
  device,
  os,
  browser,
}: Pick<SessionVO, "device" | "os" | "browser">): string | null {
  const parts = [browser, os, device].filter((text) => text !== null && text !== "");
  return parts.length === 0 ? null : [...new Set(parts)].join(" · ");
}
