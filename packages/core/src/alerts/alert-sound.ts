import { ALERT_SOUND_THROTTLE_MS } from "@parley/protocol/limits";
import type { ChatKey } from "../model/state.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";

/** How much later a tab may still sound for a message that another one was about to sound for. */
const LATE_SOUND_MS = 300;

/** The alert for a message: at most once per second (spec §5), and in one of the tabs of this device. */
export function createAlertSound(
  { clock, tabs, sound, log }: Ports,
  database: LocalDatabase,
): (key: ChatKey, id: number) => void {
  let isWaitingForLock = false;
  let isPlaying = false;
  /** By chat: up to which message this tab sounds, or leaves it to the sound that is heard just now. */
  const coveredUpTo = new Map<ChatKey, number>();

  /** For tabs that come to these messages later. */
  function recordCovered(): void {
    database.save({
      values: Object.fromEntries([...coveredUpTo].map(([key, id]) => [soundedKeyOf(key), id])),
    });
    coveredUpTo.clear();
  }

  /** Another tab was first, perhaps long ago: words between tabs would reach one that was frozen as late as the messages do. */
  async function wasPlayedElsewhere(key: ChatKey, id: number): Promise<boolean> {
    const upTo = await database.value(soundedKeyOf(key));
    return typeof upTo === "number" && id <= upTo;
  }

  /** Sounds, unless somebody was first; holds the other tabs back for as long as no second one may sound. */
  async function playOnce(key: ChatKey, id: number, requestedAt: number): Promise<void> {
    try {
      // Whoever comes second held its breath for a second: the sound has been heard.
      const isTooLate = clock.now() - requestedAt > LATE_SOUND_MS || (await wasPlayedElsewhere(key, id));
      // A tab that may not sound yet leaves it to the others.
      isPlaying = !isTooLate && (await sound.play("message"));
    } finally {
      isWaitingForLock = false;
    }
    if (!isPlaying) return coveredUpTo.clear();
    recordCovered();
    await new Promise<void>((resolve) => clock.after(ALERT_SOUND_THROTTLE_MS, resolve));
    isPlaying = false;
  }

  return (key, id) => {
    coveredUpTo.set(key, id);
    if (isPlaying) return recordCovered();
    if (isWaitingForLock) return;
    isWaitingForLock = true;
    const requestedAt = clock.now();
    tabs
      .exclusive("parley.sound", () => playOnce(key, id, requestedAt))
      .catch((error: unknown) => {
        isWaitingForLock = false;
        coveredUpTo.clear();
        log.warn("a message came without its sound", { reason: String(error) });
      });
  };
}

const soundedKeyOf = (key: ChatKey) => `sounded:${key}`;
