import { ALERT_SOUND_THROTTLE_MS } from "@parley/protocol/limits";
import type { Ports } from "./ports.ts";

/** How much later a tab may still sound for a message that another one was about to sound for. */
const STALE_MS = 300;

/** The alert: at most once per second (spec §5), and in one of the tabs of this device. */
export function createAlertSound(ports: Ports): () => void {
  const { clock, tabs, sound } = ports;
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    const wanted = clock.now();
    void tabs.exclusive("parley.sound", async () => {
      isWaiting = false;
      // Whoever comes second held its breath for a second: the sound has been heard.
      if (clock.now() - wanted > STALE_MS) return;
      isWaiting = true;
      sound.play("message");
      await new Promise<void>((resolve) => clock.after(ALERT_SOUND_THROTTLE_MS, resolve));
      isWaiting = false;
    });
  };
}
