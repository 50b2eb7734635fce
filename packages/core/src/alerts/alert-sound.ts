import type { ChatKey } from "../model/state.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";

const ALERT_SOUND_THROTTLE_MS = 1_000;
/** How long after its request a tab may still play a sound that another tab was about to play. */
const LATE_SOUND_MS = 300;

/** Creates the alert sound of messages: at most once per second (spec §5), and only in one tab of this device. */
export function createAlertSound(
  { clock, tabs, sound, log }: Ports,
  database: LocalDatabase,
): (key: ChatKey, id: number) => void {
  let isWaitingForLock = false;
  let isPlaying = false;
  /** By chat: the last message that is covered by the pending sound or by the one that is playing. */
  const coveredUpTo = new Map<ChatKey, number>();

  /** Saves what was covered, for tabs that receive these messages later. */
  function recordCovered(): void {
    const values: Record<ReturnType<typeof soundedKeyOf>, number> = {};
    for (const [key, id] of coveredUpTo) values[soundedKeyOf(key)] = id;
    database.save({ values });
    coveredUpTo.clear();
  }

  /** Reads the database, because a message between tabs would reach a suspended tab as late as the chat messages do. */
  async function wasPlayedElsewhere(key: ChatKey, id: number): Promise<boolean> {
    const upTo = await database.value(soundedKeyOf(key));
    return typeof upTo === "number" && id <= upTo;
  }

  /** Plays the sound unless another tab has played it, and keeps the lock for as long as no second sound is allowed. */
  async function playOnce(key: ChatKey, id: number, requestedAt: number): Promise<void> {
    try {
      // A tab that waited long for the lock is second: the sound has already been heard.
      const isTooLate = clock.now() - requestedAt > LATE_SOUND_MS || (await wasPlayedElsewhere(key, id));
      // The browser may not allow this tab to sound yet; then another tab plays it.
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
        log.warn("cannot play the alert sound", { reason: String(error) });
      });
  };
}

const soundedKeyOf = (key: ChatKey) => `sounded:${key}` as const;
