import { useMemo, useState, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { clampSidebar } from "@parley/core/model/format";
import { readPreference, writePreference } from "../kit/preferences.ts";
import { SIDEBAR_DEFAULT_PX, type PaneLayout } from "../ui/list-pane.tsx";

function subscribe(listener: () => void): () => void {
  addEventListener("resize", listener);
  return () => removeEventListener("resize", listener);
}

function savedWidth(): number {
  const saved = Number.parseFloat(readPreference("sidebarWidth") ?? "");
  return Number.isFinite(saved) ? Math.round(saved) : SIDEBAR_DEFAULT_PX;
}

/** Width and collapsed state of the list, saved in this browser (spec §3). */
export function useSidebar(banner: ReactNode): PaneLayout {
  const viewport = useSyncExternalStore(subscribe, () => innerWidth);
  const [wantedWidth, setWantedWidth] = useState(savedWidth);
  const [isCollapsed, setCollapsed] = useState(() => readPreference("listCollapsed") === "true");
  const [min, max] = [clampSidebar(0, viewport), clampSidebar(Number.MAX_SAFE_INTEGER, viewport)];
  const width = clampSidebar(wantedWidth, viewport);
  return useMemo(
    () => ({
      width,
      minWidth: min,
      maxWidth: max,
      defaultWidth: clampSidebar(SIDEBAR_DEFAULT_PX, viewport),
      isCollapsed,
      banner,
      setWidth(next) {
        writePreference("sidebarWidth", String(next));
        setWantedWidth(next);
      },
      setCollapsed(next) {
        writePreference("listCollapsed", next ? "true" : null);
        setCollapsed(next);
      },
    }),
    [width, min, max, viewport, isCollapsed, banner],
  );
}
