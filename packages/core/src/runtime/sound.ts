import { ALERT_SOUND_THROTTLE_MS } from "@parley/protocol/limits";
import type { ChatKey } from "../model/state.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";

/** How much later a tab may still sound for a message that another one was about to sound for. */
const STALE_MS = 300;

/** The alert for a message: at most once per second (spec §5), and in one of the tabs of this device. */
export function createAlertSound(
  { clock, tabs, sound, log }: Ports,
  disk: Disk,
): (key: ChatKey, id: number) => void {
  let isAsking = false;
  let isSounding = false;
  /** By chat: up to which message this tab sounds, or leaves it to the sound that is heard just now. */
  const covered = new Map<ChatKey, number>();

  /** For tabs that come to these messages later. */
  function note(): void {
    disk.keep({ values: Object.fromEntries([...covered].map(([key, id]) => [nameOf(key), id])) });
    covered.clear();
  }

  /** Another tab was first, perhaps long ago: words between tabs would reach one that was frozen as late as the messages do. */
  async function isHeard(key: ChatKey, id: number): Promise<boolean> {
    const upTo = await disk.value(nameOf(key));
    return typeof upTo === "number" && id <= upTo;
  }

  /** Sounds, unless somebody was first; holds the other tabs back for as long as no second one may sound. */
  async function soundOnce(key: ChatKey, id: number, wanted: number): Promise<void> {
    try {
      // Whoever comes second held its breath for a second: the sound has been heard.
      const isLate = clock.now() - wanted > STALE_MS || (await isHeard(key, id));
      // A tab that may not sound yet leaves it to the others.
      isSounding = !isLate && (await sound.play("message"));
    } finally {
      isAsking = false;
    }
    if (!isSounding) return covered.clear();
    note();
    await new Promise<void>((resolve) => clock.after(ALERT_SOUND_THROTTLE_MS, resolve));
    isSounding = false;
  }

  return (key, id) => {
    covered.set(key, id);
    if (isSounding) return note();
    if (isAsking) return;
    isAsking = true;
    const wanted = clock.now();
    tabs
      .exclusive("parley.sound", () => soundOnce(key, id, wanted))
      .catch((error: unknown) => {
        isAsking = false;
        covered.clear();
        log.warn("a message came without its sound", { reason: String(error) });
      });
  };
}

const nameOf = (key: ChatKey) => `sounded:${key}`;
