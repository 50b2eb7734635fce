/** What only the desktop application shows and does. A browser never loads it. */
import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import type { Log } from "@parley/core/ports";
import { startDesktopState } from "../kit/settings/desktop-state.ts";
import { DesktopParts } from "./desktop/desktop-parts.tsx";

export { askToClose } from "../kit/settings/desktop-state.ts";

/** Asks the desktop application for its settings and state; returns what it shows. */
export function startDesktop(bridge: DesktopBridge, log: Log): typeof DesktopParts {
  // Chats work without an answer, only with the first settings and without what the application tells.
  startDesktopState(bridge).catch((error: unknown) =>
    log.error("the desktop application does not answer", { error }),
  );
  return DesktopParts;
}
