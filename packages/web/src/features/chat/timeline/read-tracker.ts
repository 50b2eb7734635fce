/** How long a message's end must be inside the viewport before it counts as read (interface §7). */
export const READ_AFTER_MS = 300;
/** A person who touched nothing for this long is taken to be away. */
export const AWAY_AFTER_MS = 60_000;

/** Whether somebody looks at the page. */
export interface Attention {
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  /** When the last pointer, key, touch or wheel event came. */
  readonly lastInput: number;
}

/** Tells up to which message a person has read. Time arrives from outside. */
export class ReadTracker {
  #visibleSince = new Map<number, number>();

  /** The messages whose end is inside the viewport now. */
  setVisible(ids: Iterable<number>, now: number): void {
    const next = new Map<number, number>();
    for (const id of ids) next.set(id, this.#visibleSince.get(id) ?? now);
    this.#visibleSince = next;
  }

  /** The newest message that was shown long enough to an attentive person; null for none. */
  readUpTo(now: number, attention: Attention): number | null {
    if (!attention.isVisible || !attention.isFocused || now - attention.lastInput > AWAY_AFTER_MS)
      return null;
    let newest: number | null = null;
    for (const [id, since] of this.#visibleSince) {
      if (now - since >= READ_AFTER_MS && id > (newest ?? -1)) newest = id;
    }
    return newest;
  }

  /** In how many ms another message may count; null when none waits. */
  msUntilNext(now: number): number | null {
    let least: number | null = null;
    for (const since of this.#visibleSince.values()) {
      const left = since + READ_AFTER_MS - now;
      if (left > 0 && left < (least ?? Infinity)) least = left;
    }
    return least;
  }
}
