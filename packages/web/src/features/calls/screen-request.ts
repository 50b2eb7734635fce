import { create } from "zustand";
import type { Client } from "@parley/core/client-api";
import { desktopBridge, type ScreenRequest } from "../../kit/settings/desktop.ts";

/** The main process waits for an answer to this one; null: to none. */
const useStore = create<{ readonly request: ScreenRequest | null }>(() => ({ request: null }));

const watched = new WeakSet<Client>();

/** What the desktop application asks: which screen or window a call is to show. Null: nothing. */
export function useScreenRequest(): ScreenRequest | null {
  return useStore(({ request }) => request);
}

/** Answers the main process. Null: the call shows nothing, and the person sees no message about it. */
export function answerScreenRequest(sourceId: string | null): void {
  const { request } = useStore.getState();
  if (request === null) return;
  useStore.setState({ request: null });
  answer(request.requestId, sourceId);
}

/**
 * Takes the requests of the main process from now on. A request that no call waits for, as after its end, is answered with nothing, because
 * the main process would wait for ever.
 */
export function watchScreenRequests(client: Client): void {
  const bridge = desktopBridge();
  if (bridge === null || watched.has(client)) return;
  watched.add(client);
  const isAwaited = () => client.getState().call?.local.screen === "opening";
  bridge.on("screenRequested", (request) => {
    answerScreenRequest(null);
    if (isAwaited()) useStore.setState({ request });
    else answer(request.requestId, null);
  });
  client.subscribe(() => {
    if (!isAwaited()) answerScreenRequest(null);
  });
}

function answer(requestId: number, sourceId: string | null): void {
  desktopBridge()?.request("chooseScreen", { requestId, sourceId }).catch(reportError);
}
