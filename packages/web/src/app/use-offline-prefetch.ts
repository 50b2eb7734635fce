import { useEffect } from "react";
import { preloadTexts } from "../kit/i18n.ts";
import { useClientState } from "../kit/use-client.ts";

/** The first chat is there and read by then. */
const AFTER_MS = 4_000;

/**
 * What is read and searched without a network must have come while there was one: these parts are fetched once nothing else is to be
 * done. One that fails is asked for again by whoever wants it.
 */
const MODULES: readonly (() => Promise<unknown>)[] = [
  preloadTexts,
  () => import("@parley/core/lazy-modules"),
  () => import("../features/switcher/switcher.tsx"),
  () => import("../features/chat/search/search-bar.tsx"),
  () => import("../features/chat/system/system-chat.tsx"),
  () => import("../features/chat/system/notice-reader.tsx"),
  () => import("../features/chat/composer/edit-composer.tsx"),
  () => import("../features/chat/composer/blocked-composer.tsx"),
  () => import("../features/chat/composer/blocked-group-composer.tsx"),
  () => import("../features/chat/panel/notice-bar.tsx"),
  () => import("../features/chat/panel/group-panel.tsx"),
  () => import("../features/chat/group-modules.ts"),
  () => import("../features/chat/message/bubbles/lazy-bubbles.ts"),
  () => import("../features/chat/message/context-menus.ts"),
  () => import("./rail-menu.tsx"),
];

export function useOfflinePrefetch(): void {
  const isOnline = useClientState((state) => state.connection.kind === "online");
  useEffect(() => {
    if (!isOnline) return;
    const timer = setTimeout(() => {
      for (const load of MODULES) load().catch(() => undefined);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [isOnline]);
}
