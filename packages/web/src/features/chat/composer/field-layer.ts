import type { DraftMention } from "@parley/core/model/state";
import { emoticonsToText } from "../../../kit/emoticon-names.ts";
import { currentText, loadTexts } from "../../../kit/i18n.ts";
import { emoticonCharsIn, decodeEmoticons } from "./emoticon-chars.ts";
import styles from "./composer.module.css";

/** What a layer lies under, and what it is made of. */
export interface LayerParts {
  readonly field: HTMLTextAreaElement;
  /** Under the field: its text in the same places, unseen but for the marks and pictures. */
  readonly layer: HTMLElement;
  /** The text in words, for those who hear it. */
  readonly description: HTMLElement;
}

const NO_MENTIONS: readonly DraftMention[] = [];

/** Draws what a field of plain text cannot: the pictures of its emoticons, and marks where somebody is named. */
export class FieldLayer {
  #parts: LayerParts | null = null;
  #mentions = NO_MENTIONS;
  /** As it was drawn last. */
  #drawn = { text: "", mentions: NO_MENTIONS };

  /** Begins to follow the field. Answers what ends it. */
  attach(parts: LayerParts): () => void {
    this.#parts = parts;
    const { field, layer } = parts;
    const follow = () => syncLayer(layer, field);
    field.addEventListener("scroll", follow, { passive: true });
    // Lines break elsewhere when a scroll bar comes or goes.
    const observer = new ResizeObserver(follow);
    observer.observe(field);
    this.draw();
    return () => {
      observer.disconnect();
      field.removeEventListener("scroll", follow);
      this.#parts = null;
    };
  }

  /** Who is named in the field as it stands. */
  setMentions(mentions: readonly DraftMention[]): void {
    this.#mentions = mentions;
    this.draw();
  }

  /** After the field's text has changed. */
  draw(): void {
    if (this.#parts === null) return;
    const { field, layer, description } = this.#parts;
    const text = field.value;
    const mentions = this.#mentions.length === 0 ? NO_MENTIONS : this.#mentions;
    if (text === this.#drawn.text && mentions === this.#drawn.mentions) return;
    this.#drawn = { text, mentions };
    const chars = emoticonCharsIn(text);
    description.textContent = chars.length === 0 ? "" : emoticonsToText(decodeEmoticons(text), currentText());
    if (chars.length === 0 && mentions.length === 0) {
      layer.replaceChildren();
      return;
    }
    const parts: (string | HTMLElement)[] = [];
    let end = 0;
    for (const { from, to } of mentions) {
      const mark = document.createElement("mark");
      mark.append(...withPictures(text, from, to));
      parts.push(...withPictures(text, end, from), mark);
      end = to;
    }
    // A last line that is empty has a height in the field too.
    parts.push(...withPictures(text, end, text.length), "\u200b");
    layer.replaceChildren(...parts);
    syncLayer(layer, field);
    // Their names in the reader's language; those of the wire do until they have come.
    if (chars.length > 0) loadTexts("lazy").catch(() => undefined);
  }
}

/** A part of the field's text; each emoticon lies under the place that its letter keeps. */
function withPictures(text: string, from: number, to: number): (string | HTMLElement)[] {
  const part = text.slice(from, to);
  const parts: (string | HTMLElement)[] = [];
  let end = 0;
  for (const char of emoticonCharsIn(part)) {
    const picture = document.createElement("span");
    picture.className = styles.picture ?? "";
    picture.dataset["emoticon"] = String(char.number);
    picture.style.backgroundImage = `url("/emoticons/${char.number}.gif")`;
    picture.textContent = part.slice(char.from, char.to);
    parts.push(part.slice(end, char.from), picture);
    end = char.to;
  }
  parts.push(part.slice(end));
  return parts;
}

/** The layer breaks its lines where the field does, and is scrolled as far. */
export function syncLayer(layer: HTMLElement, field: HTMLTextAreaElement): void {
  layer.style.setProperty("--scroll-bar", `${field.offsetWidth - field.clientWidth}px`);
  layer.scrollTop = field.scrollTop;
}
