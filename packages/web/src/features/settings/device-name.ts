import type { SessionVO } from "@parley/protocol/entities";

/** "Chrome 149 · Windows", with the device's own name where it has told another one; null when it told nothing. */
export function deviceName({
  device,
  os,
  browser,
}: Pick<SessionVO, "device" | "os" | "browser">): string | null {
  const told = [browser, os, device].filter((text) => text !== null && text !== "");
  return told.length === 0 ? null : [...new Set(told)].join(" · ");
}
