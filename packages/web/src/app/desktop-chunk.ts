/** What only the desktop application shows and does, and its texts. A browser never loads it. */
import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import type { Log } from "@parley/core/ports";
import { startDesktopState } from "../kit/settings/desktop-state.ts";
import { type TextsByLocale, loadFurtherTexts } from "../kit/i18n/i18n.ts";
import { DesktopParts } from "./desktop/desktop-parts.tsx";

export { askToClose } from "../kit/settings/desktop-state.ts";

const TEXTS: TextsByLocale = {
  "zh-CN": () => import("../locales/zh-CN.json?desktop?lingui"),
  "en-US": () => import("../locales/en-US.json?desktop?lingui"),
  "zh-TW": () => import("../locales/zh-TW.json?desktop?lingui"),
};

/** Resolves when the parts can be shown. Call it when the language is loaded. */
export async function loadDesktopParts(bridge: DesktopBridge, log: Log): Promise<typeof DesktopParts> {
  await loadFurtherTexts(TEXTS);
  // Chats work without an answer, only with the first settings and without what the application tells.
  startDesktopState(bridge).catch((error: unknown) =>
    log.error("the desktop application does not answer", { error }),
  );
  return DesktopParts;
}
