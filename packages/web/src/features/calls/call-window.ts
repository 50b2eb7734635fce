import { create } from "zustand";

/** How the call of this page is shown. */
interface CallWindow {
  /** As a small window that leaves the page usable. */
  readonly isMinimised: boolean;
  /** The call fills the screen. */
  readonly isFullScreen: boolean;
}

const NORMAL: CallWindow = { isMinimised: false, isFullScreen: false };

/** The window of the call. */
export const useCallWindow = create<CallWindow>(() => NORMAL);

/** Makes the call a small window. */
export function minimiseCall(): void {
  void leaveFullScreen();
  useCallWindow.setState({ isMinimised: true });
}

/** Shows the call in its own size again. */
export function restoreCall(): void {
  useCallWindow.setState({ isMinimised: false });
}

/** Whether this browser lets a page fill the screen. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled;
}

/**
 * Fills the screen with the call, or ends that. The whole document does it, because menus, tooltips and toasts lie beside the call and have
 * to show above it.
 */
export async function setFullScreen(isFullScreen: boolean): Promise<void> {
  if (!isFullScreen) return leaveFullScreen();
  // A browser that refuses leaves the call as it is.
  await document.documentElement.requestFullscreen().catch(() => undefined);
}

async function leaveFullScreen(): Promise<void> {
  // Rejects only if the person has left it in the same moment.
  if (document.fullscreenElement !== null) await document.exitFullscreen().catch(() => undefined);
}

/** Follows the browser, in which a key ends the full screen too. Returns a function that stops, and puts the window back for the next call. */
export function watchCallWindow(): () => void {
  const follow = () => useCallWindow.setState({ isFullScreen: document.fullscreenElement !== null });
  document.addEventListener("fullscreenchange", follow);
  return () => {
    document.removeEventListener("fullscreenchange", follow);
    void leaveFullScreen();
    useCallWindow.setState(NORMAL);
  };
}
