import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";

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
