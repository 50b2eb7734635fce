import type { KeyboardEvent } from "react";
import { shiftMentions } from "@parley/core/model/chats/mentions";
import type { DraftMention } from "@parley/core/model/state";
import { AT_LIST_MAX } from "@parley/protocol/limits";
import { currentText } from "../../../../kit/i18n/i18n.ts";
import { encodeEmoticons, type TextWithMentions } from "../../../../kit/message-field/emoticon-chars.ts";
import { syncLayer, type FieldLayer } from "../../../../kit/message-field/field-layer.ts";
import { insertText } from "../../../../kit/message-field/field-text.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import type { MentionTarget } from "../../message/conversation-ui.ts";
import { canMention, mentionAfter, mentionBefore, mentionQueryAt, stepOverMention } from "./mention-text.ts";
import type { MentionKeyHandler, OpenMentionQuery } from "./use-mentions.ts";

/** What a mention field works with. */
interface MentionFieldParts {
  readonly field: HTMLTextAreaElement;
  /** The element under the field, drawn by `fieldLayer`. */
  readonly layer: HTMLElement;
  readonly fieldLayer: FieldLayer;
  /** An input method is composing: text and caret must not be changed. */
  readonly composing: { readonly current: boolean };
  /** The popover's key handler; null while the popover is closed. */
  readonly popoverKeyHandler: { readonly current: MentionKeyHandler | null };
  readonly onQuery: (query: OpenMentionQuery | null) => void;
}

/**
 * The mentions of the field: ranges beside its text. They move as text is typed, are highlighted under the field, and are deleted as a
 * whole. The browser owns the field and its undo history: text is inserted as if it were typed.
 */
export class MentionField {
  readonly #parts: MentionFieldParts;
  readonly #history = new MentionHistory();
  #text: string;
  #mentions: readonly DraftMention[] = [];
  #query: OpenMentionQuery | null = null;
  /** The position of an `@` whose popover was closed with Esc. */
  #dismissedAt: number | null = null;

  constructor(parts: MentionFieldParts, mentions: readonly DraftMention[]) {
    this.#parts = parts;
    this.#text = parts.field.value;
    this.#setMentions(this.#text, mentions);
  }

  /** The field's text and its mentions. */
  get value(): TextWithMentions {
    return { text: this.#text, mentions: this.#mentions };
  }

  /** Starts to handle the field's input. Returns a function that stops it. */
  attach(): () => void {
    const { field, fieldLayer } = this.#parts;
    field.addEventListener("beforeinput", this.#handleBeforeInput);
    return () => {
      field.removeEventListener("beforeinput", this.#handleBeforeInput);
      fieldLayer.setMentions([]);
    };
  }

  /** Call it when the field's text has changed. */
  textChanged(inputType?: string): void {
    const { value } = this.#parts.field;
    const isUndo = inputType === "historyUndo" || inputType === "historyRedo";
    if (value !== this.#text) {
      const restored = isUndo ? this.#history.find(value) : null;
      this.#setMentions(value, restored ?? shiftMentions(this.#text, this.#mentions, value));
    }
    if (isUndo) this.close();
    else this.updateQuery();
  }

  /** Call it when the whole text was replaced. */
  reset({ text, mentions }: TextWithMentions): void {
    this.#setMentions(text, mentions);
    this.close();
  }

  /** Opens, updates or closes the query for the `@` at the caret. */
  updateQuery(): void {
    const { field, layer, composing } = this.#parts;
    if (composing.current) return;
    const { selectionStart: caret, selectionEnd, value } = field;
    const found = caret === selectionEnd ? mentionQueryAt(value, caret, this.#mentions) : null;
    if (found?.from !== this.#dismissedAt) this.#dismissedAt = null;
    if (found === null || this.#dismissedAt !== null) return this.close();
    if (this.#query?.from === found.from && this.#query.text === found.text) return;
    this.#setQuery({ ...found, left: caretLeft(layer, field, found.from) });
  }

  /** Closes the query. */
  close(): void {
    this.#setQuery(null);
  }

  /** Inserts the person who was picked in the popover. */
  pick(person: MentionTarget): void {
    const query = this.#query;
    if (query !== null)
      this.#insertMention(query.from, Math.max(query.to, this.#parts.field.selectionEnd), person);
  }

  /** Inserts mentions of these people at the caret. */
  insertMentions(people: readonly MentionTarget[]): void {
    const { field } = this.#parts;
    field.focus({ preventScroll: true });
    for (const person of people) {
      if (!canMention(field.value, field.selectionStart)) insertText(field, " ");
      if (!this.#insertMention(field.selectionStart, field.selectionEnd, person)) return;
    }
  }

  /** True if the popover used the key, or if it moved the caret over a mention. */
  handleKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    if (this.#query !== null) {
      if (event.key === "Escape" && this.#parts.popoverKeyHandler.current !== null) {
        this.#dismissedAt = this.#query.from;
        this.close();
        event.preventDefault();
        return true;
      }
      if (this.#parts.popoverKeyHandler.current?.(event) === true) return true;
    }
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : null;
    if (step === null || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    const { selectionStart: caret, selectionEnd } = this.#parts.field;
    const to = caret === selectionEnd ? stepOverMention(caret, step, this.#mentions) : null;
    // In right-to-left text the arrow keys have the opposite direction; leave them to the browser.
    if (to === null || getComputedStyle(this.#parts.field).direction === "rtl") return false;
    this.#parts.field.setSelectionRange(to, to);
    event.preventDefault();
    return true;
  }

  /** Replaces a range of the text by a mention. False if it cannot, e.g. because the text has too many mentions. */
  #insertMention(from: number, to: number, { userId, name }: MentionTarget): boolean {
    const { field, composing } = this.#parts;
    if (composing.current) return false;
    const ids = new Set(this.#mentions.map((one) => one.userId));
    if (!ids.has(userId) && ids.size >= AT_LIST_MAX) {
      toasts.error(currentText()("naming.tooMany", { max: AT_LIST_MAX }));
      return false;
    }
    const mentionText = encodeEmoticons(`@${name}`);
    const hasBlankAfter = /\s/.test(field.value[to] ?? "");
    field.setSelectionRange(from, to);
    insertText(field, hasBlankAfter ? mentionText : `${mentionText} `);
    const end = from + mentionText.length;
    if (hasBlankAfter) field.setSelectionRange(end + 1, end + 1);
    const added = { userId, from, to: end };
    this.#setMentions(
      field.value,
      [...this.#mentions, added].toSorted((a, b) => a.from - b.from),
    );
    this.close();
    return true;
  }

  #setMentions(text: string, mentions: readonly DraftMention[]): void {
    this.#text = text;
    this.#mentions = mentions;
    this.#history.remember(text, mentions);
    this.#parts.fieldLayer.setMentions(mentions);
  }

  #setQuery(query: OpenMentionQuery | null): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#parts.onQuery(query);
  }

  /** Deletes a mention as a whole with one key. */
  #handleBeforeInput = (event: InputEvent) => {
    const { field, composing } = this.#parts;
    if (composing.current || event.isComposing || !event.cancelable) return;
    const range = mentionToDelete(event.inputType, field, this.#mentions);
    if (range === null) return;
    event.preventDefault();
    field.setSelectionRange(range.from, range.to);
    document.execCommand("delete");
  };
}

function mentionToDelete(inputType: string, field: HTMLTextAreaElement, mentions: readonly DraftMention[]) {
  const { selectionStart: caret, selectionEnd, value } = field;
  if (caret !== selectionEnd) return null;
  switch (inputType) {
    case "deleteContentBackward":
    case "deleteWordBackward":
      return mentionBefore(value, caret, mentions);
    case "deleteContentForward":
    case "deleteWordForward":
      return mentionAfter(caret, mentions);
    default:
      return null;
  }
}

/** The left edge of a character of the field, in px from the left of the window. */
function caretLeft(layer: HTMLElement, field: HTMLTextAreaElement, index: number): number {
  const drawn = [...layer.childNodes];
  const marker = document.createElement("span");
  marker.textContent = "\u200b";
  layer.replaceChildren(field.value.slice(0, index), marker, field.value.slice(index));
  syncLayer(layer, field);
  const { left } = marker.getBoundingClientRect();
  layer.replaceChildren(...drawn);
  syncLayer(layer, field);
  return left;
}

/** Remembered texts with mentions. Undo beyond them restores the text without its mentions. */
const TEXTS_MAX = 200;

/** The mentions of recent texts, so that the browser's undo can restore them with the text. */
class MentionHistory {
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
