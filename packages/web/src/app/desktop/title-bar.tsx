import { useLayoutEffect } from "react";
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import type { DesktopBridge, DesktopInput } from "@parley/desktop/bridge/desktop-bridge";
import { useDesktopState } from "../../kit/desktop-state.ts";
import { useText } from "../../kit/i18n.ts";
import { classNames } from "../../ui/class-names.ts";
import styles from "./title-bar.module.css";
import { tellDesktop } from "./tell-desktop.ts";

const HEIGHT_PX = 32;

/**
 * The title bar of the window, above every screen. The window is moved by it. It has buttons of its own, except on macOS, where the system
 * shows them over it. A full screen has none.
 */
export function TitleBar({ bridge }: { bridge: DesktopBridge }) {
  const isFullScreen = useDesktopState((state) => state.window.isFullScreen);
  useLayoutEffect(() => {
    if (isFullScreen) return;
    const { style } = document.documentElement;
    // Screens, dialogs and popovers leave this much at the top (`tokens.css`).
    style.setProperty("--title-bar", `${HEIGHT_PX}px`);
    return () => void style.removeProperty("--title-bar");
  }, [isFullScreen]);
  if (isFullScreen) return null;
  // Beside the screens, because a nudge moves them. Without `aria-live` an open dialog would hide the bar from screen readers.
  return createPortal(
    <div className={styles.bar} data-over-dialogs aria-live="off">
      {bridge.platform !== "darwin" && <WindowButtons bridge={bridge} />}
    </div>,
    document.body,
  );
}

function WindowButtons({ bridge }: { bridge: DesktopBridge }) {
  const t = useText();
  const isMaximized = useDesktopState((state) => state.window.isMaximized);
  const control = (action: DesktopInput<"controlWindow">) => tellDesktop(bridge, "controlWindow", action);
  return (
    <section className={styles.buttons} aria-label={t("desktop.bar.window")}>
      <WindowButton name={t("desktop.bar.minimize")} onClick={() => control("minimize")}>
        <path d="M1 5.5h8" />
      </WindowButton>
      <WindowButton
        name={t(isMaximized ? "desktop.bar.restore" : "desktop.bar.maximize")}
        onClick={() => control("toggleMaximize")}
      >
        {isMaximized ? <path d="M1 3h6v6H1zM3 3V1h6v6H7" /> : <path d="M1 1h8v8H1z" />}
      </WindowButton>
      <WindowButton name={t("desktop.bar.close")} isClose onClick={() => control("close")}>
        <path d="m1 1 8 8M9 1 1 9" />
      </WindowButton>
    </section>
  );
}

interface WindowButtonProps {
  name: string;
  isClose?: boolean;
  onClick: () => void;
  /** Its icon on a square of 10 px. */
  children: ReactNode;
}

function WindowButton({ name, isClose = false, onClick, children }: WindowButtonProps) {
  return (
    <button
      type="button"
      className={classNames(styles.button, isClose && styles.close)}
      aria-label={name}
      // The layer of our own tooltips exists only on screens after sign-in.
      title={name}
      // A press with the pointer leaves the focus where it is, for example in the composer.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <svg width="10" height="10" fill="none" stroke="currentColor" aria-hidden="true">
        {children}
      </svg>
    </button>
  );
}
