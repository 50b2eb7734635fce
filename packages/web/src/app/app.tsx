import { Suspense, lazy, useEffect, useMemo, useState } from "react";
import type { ComponentType } from "react";
import type { Client } from "@parley/core/client-api";
import type { Log } from "@parley/core/ports";
import { ClientProvider } from "../kit/use-client.ts";
import { useText } from "../kit/i18n.ts";
import { useToasts } from "../ui/toast-store.ts";
import { UiTextsProvider } from "../ui/ui-texts.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Routes } from "./routes.tsx";

/**
 * Comes with the shell, so that it is at hand when the server is not. On the login screen it may not come without a network; whoever
 * failed has told so in its place as well.
 */
const ToastLayer = lazy<ComponentType>(() =>
  import("./shell-chunk.ts").then(
    (part) => ({ default: part.ToastLayer }),
    () => ({ default: () => null }),
  ),
);

/** The layer stays once it was needed, so that screen readers know its region. */
function Toasts() {
  const [isNeeded, setNeeded] = useState(false);
  if (useToasts().length > 0 && !isNeeded) setNeeded(true);
  // A dialog hides all from screen readers that is no live region when it opens: a first toast that comes later would be among it.
  return (
    <div aria-live="off">
      <Suspense>{isNeeded && <ToastLayer />}</Suspense>
    </div>
  );
}

/** Everything under the root: words and client for all, the screens, and what lies above them. */
export function App({ client, log }: { client: Client; log: Log }) {
  const t = useText();
  const isStarted = useResumed(client);
  const texts = useMemo(
    () => ({
      close: t("app.close"),
      showPassword: t("field.showPassword"),
      hidePassword: t("field.hidePassword"),
      loading: t("app.loading"),
      resizeList: t("app.resizeList"),
      notifications: t("app.notifications"),
    }),
    [t],
  );
  return (
    <ClientProvider value={client}>
      <UiTextsProvider value={texts}>
        <ErrorBoundary log={log}>
          <Routes isStarted={isStarted} />
        </ErrorBoundary>
        <Toasts />
      </UiTextsProvider>
    </ClientProvider>
  );
}

/** The core's first look for a session; false while it is not known whether somebody is signed in. */
function useResumed(client: Client): boolean {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void resumeOnce(client).finally(() => isMounted && setDone(true));
    return () => {
      isMounted = false;
    };
  }, [client]);
  return isDone;
}

const resumed = new WeakMap<Client, Promise<void>>();

/** Strict mode mounts twice; a session is looked for once. */
function resumeOnce(client: Client): Promise<void> {
  const known = resumed.get(client);
  if (known !== undefined) return known;
  const running = client.session.resume();
  resumed.set(client, running);
  return running;
}
