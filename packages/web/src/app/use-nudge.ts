import { useEffect } from "react";
import { useClient } from "../kit/use-client.ts";

const SHAKE_MS = 500;
const WAY_PX = [0, -8, 8, -7, 7, -5, 5, -2, 0];

/** The window shakes when somebody shakes it, whatever is on the screen; not for who wants no motion. */
export function useNudge(): void {
  const client = useClient();
  useEffect(() => client.onNotice((notice) => notice.kind === "nudge" && shakeWindow()), [client]);
}

function shakeWindow(): void {
  const root = document.getElementById("root");
  if (root === null || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  // Several at once are one.
  if (root.getAnimations().length > 0) return;
  root.animate(
    WAY_PX.map((x) => ({ transform: `translateX(${x}px)` })),
    { duration: SHAKE_MS, id: "shake" },
  );
}
