import type { DraftMention } from "@parley/core/model/state";

/** Texts of late that named somebody; who undoes more gets back the words alone. */
const TEXTS_MAX = 200;

/** Who was named in which text, so that the browser's undo brings back more than words. */
export class MentionHistory {
  #byText = new Map<string, readonly DraftMention[]>();

  remember(text: string, mentions: readonly DraftMention[]): void {
    if (mentions.length === 0) return;
    // Noted again it is young again.
    this.#byText.delete(text);
    this.#byText.set(text, mentions);
    const [oldest] = this.#byText.keys();
    if (this.#byText.size > TEXTS_MAX && oldest !== undefined) this.#byText.delete(oldest);
  }

  find(text: string): readonly DraftMention[] | null {
    return this.#byText.get(text) ?? null;
  }
}
