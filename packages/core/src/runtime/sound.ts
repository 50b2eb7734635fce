import { ALERT_SOUND_THROTTLE_MS } from "@parley/protocol/limits";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey } from "../model/state.ts";
import { isRecord } from "./keep.ts";
import type { Ports } from "./ports.ts";

export interface AlertSound {
  /** Alerts for this message: once a second at most, and in one tab of this device. */
  alert(key: ChatKey, id: number): void;
  close(): void;
}

/** How much later a tab may still sound for a message that another one was about to sound for. */
const STALE_MS = 300;
/** Before it sounds a tab hears what others have told: one that was frozen gets their words behind the messages. */
const HEAR_MS = 50;
const SOUNDED = "sounded";

export function createAlertSound({ clock, tabs, sound }: Ports): AlertSound {
  let isWaiting = false;
  /** By chat: up to which message another tab has sounded, or left it to the sound that was just heard. A slow tab comes to it later. */
  const heard = new Map<ChatKey, number>();

  const close = tabs.listen((message) => {
    if (!isRecord(message) || message["kind"] !== SOUNDED) return;
    const { key: keyText, id } = message;
    const key = typeof keyText === "string" ? parseChatKey(keyText)?.key : undefined;
    if (key !== undefined && typeof id === "number") heard.set(key, Math.max(heard.get(key) ?? 0, id));
  });

  const isHeard = (key: ChatKey, id: number) => id <= (heard.get(key) ?? 0);
  const tell = (key: ChatKey, id: number) => tabs.tell({ kind: SOUNDED, key, id });
  const pass = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  return {
    alert(key, id) {
      if (isHeard(key, id)) return;
      if (isWaiting) return tell(key, id);
      isWaiting = true;
      const wanted = clock.now();
      void tabs.exclusive("parley.sound", async () => {
        // Whoever comes second held its breath for a second: the sound has been heard.
        const isStale = clock.now() - wanted > STALE_MS;
        if (!isStale) await pass(HEAR_MS);
        // A tab that may not sound yet leaves it to the others.
        if (!isStale && !isHeard(key, id) && (await sound.play("message"))) {
          tell(key, id);
          await pass(ALERT_SOUND_THROTTLE_MS - HEAR_MS);
        }
        isWaiting = false;
      });
    },
    close,
  };
}
