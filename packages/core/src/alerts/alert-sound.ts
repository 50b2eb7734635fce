import type { ChatKey } from "../model/state.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";

const ALERT_SOUND_THROTTLE_MS = 1_000;
/** Without a database: a tab that waits longer for its turn assumes that another tab has played the sound. */
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

  /**
   * Reads the database, because a message between tabs would reach a suspended tab as late as the chat messages do. The length of the wait
   * says nothing then: a slow tab that had its turn before may not have played.
   */
  async function wasPlayedElsewhere(key: ChatKey, id: number, requestedAt: number): Promise<boolean> {
    if (!database.isUsable()) return clock.now() - requestedAt > LATE_SOUND_MS;
    const upTo = await database.value(soundedKeyOf(key));
    return typeof upTo === "number" && id <= upTo;
  }

  /** Plays the sound unless another tab has played it, and keeps the lock for as long as no second sound is allowed. */
  async function playOnce(key: ChatKey, id: number, requestedAt: number): Promise<void> {
    try {
      // The browser may not allow this tab to sound yet; then another tab plays it.
      isPlaying = !(await wasPlayedElsewhere(key, id, requestedAt)) && (await sound.play("message"));
    } finally {
      isWaitingForLock = false;
    }
    if (!isPlaying) return coveredUpTo.clear();
    recordCovered();
    await new Promise<void>((resolve) => clock.after(ALERT_SOUND_THROTTLE_MS, resolve));
    isPlaying = false;
    // The tab whose turn is next reads what was covered.
    await database.flush();
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
