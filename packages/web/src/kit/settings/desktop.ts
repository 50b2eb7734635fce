import type { DesktopBridge, DesktopEventContent } from "@parley/desktop/bridge/desktop-bridge";

export type { ScreenSource } from "@parley/desktop/bridge/desktop-bridge";

/** The main process asks which screen or window a call is to show. */
export type ScreenRequest = DesktopEventContent<"screenRequested">;

declare global {
  interface Window {
    /** Set by the preload script of the desktop application. */
    readonly parleyDesktop?: DesktopBridge;
  }
}

/** The way to the desktop application that shows this page; null in a browser. */
export function desktopBridge(): DesktopBridge | null {
  return window.parleyDesktop ?? null;
}
