import { Suspense, lazy, useEffect } from "react";
import { loadPart } from "../../kit/load-part.ts";
import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import { claimLink, useDesktopState } from "../../kit/desktop-state.ts";
import { useLocale, useText } from "../../kit/i18n.ts";
import { offerServer } from "../../kit/offered-server.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClientState } from "../../kit/use-client.ts";
import { ErrorBoundary } from "../error-boundary.tsx";
import { TitleBar } from "./title-bar.tsx";
import { tellDesktop } from "./tell-desktop.ts";

// The login screen needs neither dialogs nor chats.
const CloseQuestion = lazy(() =>
  loadPart(() => import("./close-question.tsx").then((part) => ({ default: part.CloseQuestion }))),
);
const SignedInParts = lazy(() =>
  loadPart(() => import("./signed-in-parts.tsx").then((part) => ({ default: part.SignedInParts }))),
);

export interface DesktopPartsProps {
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
