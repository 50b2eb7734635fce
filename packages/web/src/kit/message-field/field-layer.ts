import type { DraftMention } from "@parley/core/model/state";
import { emoticonsToText } from "../i18n/emoticon-names.ts";
import { currentText } from "../i18n/i18n.ts";
import { emoticonCharsIn, decodeEmoticons } from "./emoticon-chars.ts";
import styles from "./message-field.module.css";

/** The field and the elements that show what a plain text field cannot. */
export interface LayerParts {
  readonly field: HTMLTextAreaElement;
  /** Under the field: the same text at the same positions, invisible except for pictures and highlighted mentions. */
  readonly layer: HTMLElement;
  /** The text with the names of its emoticons, for screen readers. */
  readonly description: HTMLElement;
}

const NO_MENTIONS: readonly DraftMention[] = [];

/** Draws what a plain text field cannot: pictures of emoticons, and a highlight behind each mention. */
export class FieldLayer {
  #parts: LayerParts | null = null;
  #mentions = NO_MENTIONS;
  /** What was drawn last. */
  #drawn = { text: "", mentions: NO_MENTIONS };

  /** Starts to follow the field. Returns a function that stops it. */
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

  /** Sets the mentions of the field's current text. */
  setMentions(mentions: readonly DraftMention[]): void {
    this.#mentions = mentions;
    this.draw();
  }

  /** Call it after the field's text has changed. */
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
    // An empty last line has a height in the field too.
    parts.push(...withPictures(text, end, text.length), "\u200b");
    layer.replaceChildren(...parts);
    syncLayer(layer, field);
  }
}

/** A part of the field's text as nodes; each emoticon's picture lies under its character. */
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

/** Makes the layer wrap its lines where the field does, and scrolls it as far. */
export function syncLayer(layer: HTMLElement, field: HTMLTextAreaElement): void {
  layer.style.setProperty("--scroll-bar", `${field.offsetWidth - field.clientWidth}px`);
  layer.scrollTop = field.scrollTop;
}
