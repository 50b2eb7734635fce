import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect } from "react";
import { createPortal } from "react-dom";
import type { DesktopBridge, DesktopInput, DesktopRequest } from "@parley/desktop/bridge/desktop-bridge";
import { claimLink, useDesktopState } from "../../kit/settings/desktop-state.ts";
import { useLocale, useText } from "../../kit/i18n/i18n.ts";
import { loadChunk } from "../../kit/loading/load-chunk.ts";
import { offerServer } from "../../kit/forms/custom-server.tsx";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClientState } from "../../kit/loading/use-client.ts";
import { classNames } from "../../ui/class-names.ts";
import { ErrorBoundary } from "../error-boundary.tsx";
import styles from "./desktop-parts.module.css";

// The login screen needs neither dialogs nor chats.
const CloseQuestion = lazy(() =>
  loadChunk(() => import("./close-question.tsx").then((part) => ({ default: part.CloseQuestion }))),
);
const SignedInParts = lazy(() =>
  loadChunk(() => import("./signed-in-parts.tsx").then((part) => ({ default: part.SignedInParts }))),
);

interface DesktopPartsProps {
  bridge: DesktopBridge;
  /** Whether it is known who is signed in. */
  isStarted: boolean;
}

/** What the desktop application adds to every screen: the title bar, the question before closing, and what its links open. */
export function DesktopParts({ bridge, isStarted }: DesktopPartsProps) {
  const locale = useLocale();
  const isSignedIn = useClientState((state) => state.session.kind !== "anonymous");
  const isCloseAsked = useDesktopState((state) => state.isCloseAsked);
  useEffect(() => tellDesktop(bridge, "setLanguage", locale), [bridge, locale]);
  useEffect(() => {
    if (isStarted && !isSignedIn) tellDesktop(bridge, "setUnread", 0);
  }, [bridge, isStarted, isSignedIn]);
  useServerLinks(isStarted);
  return (
    <>
      <TitleBar bridge={bridge} />
      <ErrorBoundary instead={null}>
        <Suspense>
          {isCloseAsked && <CloseQuestion bridge={bridge} />}
          {isSignedIn && <SignedInParts bridge={bridge} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

/** A link with the address of a server fills it into the login. Nobody is signed out for it. */
function useServerLinks(isStarted: boolean): void {
  const t = useText();
  const link = useDesktopState((state) => state.link);
  const isSignedIn = useClientState((state) => state.session.kind !== "anonymous");
  useEffect(() => {
    if (!isStarted || link?.kind !== "server") return;
    claimLink(link);
    if (isSignedIn) toasts.long(t("desktop.link.signedIn", { address: link.address }));
    else offerServer(link.address);
  }, [isStarted, link, isSignedIn, t]);
}

const HEIGHT_PX = 32;

/**
 * The title bar of the window, above every screen. The window is moved by it. It has buttons of its own, except on macOS, where the system
 * shows them over it. A full screen has none.
 */
function TitleBar({ bridge }: { bridge: DesktopBridge }) {
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

/** Makes a request whose answer says nothing. A failure is an error of the program. */
export function tellDesktop<Name extends DesktopRequest>(
  bridge: DesktopBridge,
  name: Name,
  input: DesktopInput<Name>,
): void {
  bridge.request(name, input).catch(reportError);
}
