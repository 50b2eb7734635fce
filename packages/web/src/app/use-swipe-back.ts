import { type RefObject, useEffect, useEffectEvent } from "react";
import { useLocation, useSearch } from "wouter";
import { goUp } from "../kit/dialogs/go-up.ts";
import { useIsMobile } from "../ui/use-media.ts";
import { watchEdgeSwipes } from "./watch-edge-swipes.ts";

/**
 * On a small screen, a finger that moves from the left edge to the right leads one level up: from a chat to the list, from the panel to the
 * chat (interface §2).
 */
export function useSwipeBack(screen: RefObject<HTMLElement | null>): void {
  const isMobile = useIsMobile();
  const [path] = useLocation();
  const isPanelOpen = useSearch() !== "";
  const parent = parentPath(path);
  const isActive = isMobile && parent !== null;
  const goBack = useEffectEvent(() => {
    if (isPanelOpen) history.back();
    else if (parent !== null) goUp(parent);
  });
  useEffect(() => {
    const element = screen.current;
    if (!isActive || element === null) return;
    return watchEdgeSwipes(element, () => goBack());
  }, [isActive, screen]);
}

/** The path one level up from a page that covers its list on a small screen, or null for the lists themselves. */
export function parentPath(path: string): string | null {
  const [, home, area, ...rest] = path.split("/");
  if (home !== "home" || area === undefined || rest.length === 0) return null;
  return ["", home, area, ...rest.slice(0, -1)].join("/");
}
