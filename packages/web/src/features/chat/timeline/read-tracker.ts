/** How long a message's end must be inside the viewport before it counts as read (interface §7). */
export const READ_AFTER_MS = 300;
/** A person without input for this long counts as away. */
export const AWAY_AFTER_MS = 60_000;

/** Whether the person is looking at the page. */
export interface Attention {
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  /** The time of the last pointer, key, touch or wheel event. */
  readonly lastInput: number;
}

/** Tracks up to which message a person has read. The caller passes the time. */
export class ReadTracker {
  #visibleSince = new Map<number, number>();

  /** Sets the messages whose end is inside the viewport now. */
  setVisible(ids: Iterable<number>, now: number): void {
    const next = new Map<number, number>();
    for (const id of ids) next.set(id, this.#visibleSince.get(id) ?? now);
    this.#visibleSince = next;
  }

  /** The newest message that was visible long enough to an attentive person; null if there is none. */
  readUpTo(now: number, attention: Attention): number | null {
    if (!attention.isVisible || !attention.isFocused || now - attention.lastInput > AWAY_AFTER_MS)
      return null;
    let newest: number | null = null;
    for (const [id, since] of this.#visibleSince) {
      if (now - since >= READ_AFTER_MS && id > (newest ?? -1)) newest = id;
    }
    return newest;
  }

  /** The time in ms until another visible message may count as read; null if there is none. */
  msUntilNext(now: number): number | null {
    let shortest: number | null = null;
    for (const since of this.#visibleSince.values()) {
      const remaining = since + READ_AFTER_MS - now;
      if (remaining > 0 && remaining < (shortest ?? Infinity)) shortest = remaining;
    }
    return shortest;
  }
}
