import { create } from "zustand";
import type { DesktopBridge, DesktopSettings, WindowState } from "@parley/desktop/bridge/desktop-bridge";
import type { DeepLink } from "@parley/desktop/bridge/deep-link";
import { currentText } from "../i18n/i18n.ts";
import { toasts } from "../dialogs/toasts.ts";

interface DesktopState {
  /** Null until the application has told them. */
  readonly settings: DesktopSettings | null;
  readonly window: WindowState;
  /** A link that has not been followed yet. */
  readonly link: DeepLink | null;
  /** The person wants to close the window, and is asked what that means. */
  readonly isCloseAsked: boolean;
}

const useStore = create<DesktopState>(() => ({
  settings: null,
  window: { isMaximized: false, isFullScreen: false, isFocused: true },
  link: null,
  isCloseAsked: false,
}));

/** Hears from the desktop application from now on. Rejects if it does not answer. */
export async function startDesktopState(bridge: DesktopBridge): Promise<void> {
  bridge.on("windowChanged", (window) => useStore.setState({ window }));
  bridge.on("settingsChanged", (settings) => useStore.setState({ settings }));
  bridge.on("linkOpened", (link) => useStore.setState({ link }));
  bridge.on("closeRequested", askToClose);
  useStore.setState(await bridge.request("start", null));
}

/** What the desktop application knows. Renders again when that part of it changes. */
export function useDesktopState<Part>(select: (state: DesktopState) => Part): Part {
  return useStore(select);
}

/** Saves settings of this device; what the application has made of them is shown. */
export async function changeDesktopSettings(
  bridge: DesktopBridge,
  change: Partial<DesktopSettings>,
): Promise<void> {
  try {
    useStore.setState({ settings: await bridge.request("changeSettings", change) });
  } catch (error) {
    toasts.error(currentText()("settings.saveFailed"));
    throw error;
  }
}

/** Asks the person what closing means. */
export function askToClose(): void {
  useStore.setState({ isCloseAsked: true });
}

/** The person has answered, or the question is withdrawn. */
export function endCloseQuestion(): void {
  useStore.setState({ isCloseAsked: false });
}

/** Marks a link as followed. A newer one stays. */
export function claimLink(claimed: DeepLink): void {
  if (useStore.getState().link === claimed) useStore.setState({ link: null });
}
