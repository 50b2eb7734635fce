import type { DraftMention } from "@parley/core/model/state";

/** Remembered texts with mentions. Undo beyond them restores the text without its mentions. */
const TEXTS_MAX = 200;

/** The mentions of recent texts, so that the browser's undo can restore them with the text. */
export class MentionHistory {
  #byText = new Map<string, readonly DraftMention[]>();

  /** Remembers the mentions of a text. */
  remember(text: string, mentions: readonly DraftMention[]): void {
    if (mentions.length === 0) return;
    // Deleting first moves the text to the end: the map's order is by last use.
    this.#byText.delete(text);
    this.#byText.set(text, mentions);
    const [oldest] = this.#byText.keys();
    if (this.#byText.size > TEXTS_MAX && oldest !== undefined) this.#byText.delete(oldest);
  }

  /** The mentions that a text had; null if it is not remembered. */
  find(text: string): readonly DraftMention[] | null {
    return this.#byText.get(text) ?? null;
  }
}
