import { useEffect } from "react";
import { useClient } from "../kit/use-client.ts";

const SHAKE_MS = 500;
const OFFSETS_PX = [0, -8, 8, -7, 7, -5, 5, -2, 0];

/** Shakes the window when somebody sends a nudge, on every screen, unless the person prefers reduced motion. */
export function useNudge(): void {
  const client = useClient();
  useEffect(() => client.onNotice((notice) => notice.kind === "nudge" && shakeWindow()), [client]);
}

function shakeWindow(): void {
  const root = document.getElementById("root");
  if (root === null || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  // Nudges during an animation do not start another one.
  if (root.getAnimations().length > 0) return;
  root.animate(
    OFFSETS_PX.map((x) => ({ transform: `translateX(${x}px)` })),
    { duration: SHAKE_MS, id: "shake" },
  );
}
