import { useEffect } from "react";
import { EMOTICONS } from "@parley/protocol/emoticons";
import { useClientState } from "../kit/loading/use-client.ts";
import { loadRequestedDialog } from "./hosts.tsx";

/** By then the first chat is loaded and rendered. */
const AFTER_MS = 4_000;

/**
 * What reading, searching and unsent drafts need offline: a module of each of its files (`GROUPS` in `vite.config.ts`). They are loaded after the
 * start, while there is a network. A file that fails to load is requested again at its first use.
 */
const MODULES: readonly (() => Promise<unknown>)[] = [
  loadRequestedDialog,
  () => import("../features/chat/system/system-chat.tsx"),
];

/** Loads the pictures of the emoticons one after the other, so that the picker shows all of them at once. */
async function loadEmoticons(signal: AbortSignal): Promise<void> {
  for (const number of EMOTICONS.keys()) {
    if (signal.aborted) return;
    await fetch(`/emoticons/${number}.gif`, { priority: "low", signal }).catch(() => undefined);
  }
}

/** Whether the person has asked the browser to load as little as possible. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Loads what is needed offline, some seconds after the client is online. */
export function useOfflinePrefetch(): void {
  const isOnline = useClientState((state) => state.connection.kind === "online");
  useEffect(() => {
    if (!isOnline) return;
    const stopped = new AbortController();
    const timer = setTimeout(() => {
      for (const load of MODULES) load().catch(() => undefined);
      if (!savesData()) void loadEmoticons(stopped.signal);
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [isOnline]);
}
