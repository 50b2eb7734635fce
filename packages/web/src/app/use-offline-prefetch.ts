import { useEffect } from "react";
import { EMOTICONS } from "@parley/protocol/emoticons";
import { useClientState } from "../kit/loading/use-client.ts";
import { loadRequestedDialog } from "./hosts.tsx";
import { loadCommands, loadFocusLandmark } from "./app-shortcuts.ts";

/** By then the first chat is loaded and rendered. */
const AFTER_MS = 4_000;

/**
 * Modules that reading, searching and unsent drafts need offline. They are loaded after the start, while there is a network. A module that fails to load
 * is requested again at its first use.
 */
const MODULES: readonly (() => Promise<unknown>)[] = [
  loadRequestedDialog,
  loadCommands,
  loadFocusLandmark,
  () => import("../features/switcher/switcher.tsx"),
  () => import("../features/chat/search/search-bar.tsx"),
  () => import("../features/chat/system/system-chat.tsx"),
  () => import("../features/chat/system/notice-reader.tsx"),
  () => import("../features/chat/composer/attachments/attachment-strip.tsx"),
  () => import("../features/chat/composer/edit-composer.tsx"),
  () => import("../features/chat/composer/blocked-composer.tsx"),
  () => import("../features/chat/composer/blocked-composer.tsx"),
  () => import("../features/chat/panel/notice-bar.tsx"),
  () => import("../features/chat/panel/group-panel.tsx"),
  () => import("../features/chat/group-modules.ts"),
  () => import("../features/chat/message/kinds/lazy-kinds.tsx"),
  () => import("../features/chat/message/message-menu.tsx"),
  () => import("../features/chat/message/person-menu.tsx"),
  () => import("./main-menu.tsx"),
  () => import("../kit/message-field/emoticon-picker.tsx"),
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

/** Loads the modules that are needed offline, some seconds after the client is online. */
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
