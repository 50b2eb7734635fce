import { useEffect, useMemo, useState } from "react";
import type { Client } from "@parley/core/runtime/client-api";
import type { Log } from "@parley/core/runtime/ports";
import { ClientProvider } from "../kit/use-client.ts";
import { useText } from "../kit/i18n.ts";
import { ToastLayer } from "../ui/toast.tsx";
import { TooltipLayer } from "../ui/tooltip.tsx";
import { UiTextsProvider } from "../ui/ui-texts.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Routes } from "./routes.tsx";
import { SessionEnd } from "./session-end.tsx";
import { SkipLink } from "./skip-link.tsx";
import { useLandmarkKeys } from "./use-landmark-keys.ts";
import { WindowTitle } from "./window-title.tsx";

/** Everything under the root: words and client for all, the screens, and what lies above them. */
export function App({ client, log }: { client: Client; log: Log }) {
  const t = useText();
  useLandmarkKeys();
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
        <SkipLink />
        <WindowTitle />
        <ErrorBoundary log={log}>
          <Routes isStarted={isStarted} />
          <SessionEnd />
        </ErrorBoundary>
        <ToastLayer />
        <TooltipLayer />
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
