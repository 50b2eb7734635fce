import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import type { Client } from "@parley/core/client-api";
import type { Log } from "@parley/core/ports";
import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import { desktopBridge } from "../kit/settings/desktop.ts";
import { useLocale, useTranslatedUiTexts } from "../kit/i18n/i18n.ts";
import { ClientProvider } from "../kit/loading/use-client.ts";
import { useToasts } from "../ui/toast-store.ts";
import { UiTextsProvider } from "../ui/ui-texts.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Routes } from "./routes.tsx";

/**
 * Loaded together with the shell, so that it is available offline. On the login screen it may fail to load without a network; the forms
 * there show their errors inline as well.
 */
const ToastLayer = lazy<ComponentType>(() =>
  import("./shell-chunk.ts").then(
    (part) => ({ default: part.ToastLayer }),
    () => ({ default: () => null }),
  ),
);

/** Renders the toast layer from the first toast on. It stays mounted so that screen readers know its live region. */
function Toasts() {
  const [isNeeded, setNeeded] = useState(false);
  if (useToasts().length > 0 && !isNeeded) setNeeded(true);
  // A dialog hides everything from screen readers that is not a live region when it opens. Without `aria-live` that would hide toasts.
  return (
    <div aria-live="off">
      <Suspense>{isNeeded && <ToastLayer />}</Suspense>
    </div>
  );
}

interface AppProps {
  client: Client;
  /** Ends when a saved session was resumed, or there is none. */
  resumed: Promise<void>;
  log: Log;
  /** What the desktop application adds; null in a browser. */
  desktop: {
    readonly bridge: DesktopBridge;
    readonly Parts: ComponentType<{ bridge: DesktopBridge; isStarted: boolean }>;
  } | null;
}

/** Root component: provides the client and the texts, and renders the screens and the toasts. */
export function App({ client, resumed, log, desktop }: AppProps) {
  const isStarted = useHasEnded(resumed);
  const texts = useTranslatedUiTexts();
  return (
    <ClientProvider value={client}>
      <UiTextsProvider value={texts}>
        <ManifestLink />
        <ErrorBoundary log={log}>
          <Routes isStarted={isStarted} />
        </ErrorBoundary>
        {desktop !== null && (
          <ErrorBoundary log={log} instead={null}>
            <desktop.Parts bridge={desktop.bridge} isStarted={isStarted} />
          </ErrorBoundary>
        )}
        <Toasts />
      </UiTextsProvider>
    </ClientProvider>
  );
}

/** Whether it is known by now if somebody is signed in. */
function useHasEnded(resumed: Promise<void>): boolean {
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void resumed.finally(() => isMounted && setEnded(true));
    return () => {
      isMounted = false;
    };
  }, [resumed]);
  return hasEnded;
}

/** Names the web app manifest of the current language (`web-manifest.ts`), so that the installed app speaks it too. The desktop application needs
 * no installing. */
function ManifestLink() {
  const locale = useLocale();
  return desktopBridge() === null && <link rel="manifest" href={`/manifest.${locale}.webmanifest`} />;
}
