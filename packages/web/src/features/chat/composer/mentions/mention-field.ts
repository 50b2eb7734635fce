import type { KeyboardEvent } from "react";
import { AT_LIST_MAX } from "@parley/protocol/limits";
import { shiftMentions } from "@parley/core/model/chats/mentions";
import type { DraftMention } from "@parley/core/model/state";
import { currentText } from "../../../../kit/i18n.ts";
import { toasts } from "../../../../kit/toasts.ts";
import { encodeEmoticons, type TextWithMentions } from "../emoticon-chars.ts";
import type { FieldLayer } from "../field-layer.ts";
import { insertText } from "../field-text.ts";
import type { MentionTarget } from "../../message/conversation-ui.ts";
import { mentionAfter, mentionBefore, stepOverMention } from "./mention-ranges.ts";
import { caretLeft } from "./caret-left.ts";
import { MentionHistory } from "./mention-history.ts";
import { canMention, mentionQueryAt } from "./mention-query.ts";
import type { OpenMentionQuery, MentionKeyHandler } from "./use-mentions.ts";

export interface MentionFieldParts {
  readonly field: HTMLTextAreaElement;
  /** Lies under the field, and is drawn by this. */
  readonly layer: HTMLElement;
  readonly drawn: FieldLayer;
  /** An input method is at work: the field and its caret are left alone. */
  readonly composing: { readonly current: boolean };
  /** What the names to choose from do with a key; null while they are closed. */
  readonly popover: { readonly current: MentionKeyHandler | null };
  readonly onQuery: (query: OpenMentionQuery | null) => void;
}

/**
 * Who is named in the field: ranges beside its text, which follow what is typed, are drawn under it, and are each taken away as a whole.
 * The field stays the browser's, with its undo: what is written here is written as if it were typed.
 */
export class MentionField {
  readonly #parts: MentionFieldParts;
  readonly #history = new MentionHistory();
  #text: string;
  #mentions: readonly DraftMention[] = [];
  #query: OpenMentionQuery | null = null;
  /** Where an `@` stands that nobody is wanted for. */
  #dismissedAt: number | null = null;

  constructor(parts: MentionFieldParts, mentions: readonly DraftMention[]) {
    this.#parts = parts;
    this.#text = parts.field.value;
    this.#setMentions(this.#text, mentions);
  }

  get value(): TextWithMentions {
    return { text: this.#text, mentions: this.#mentions };
  }

  /** Begins to look after the field. Answers what ends it. */
  attach(): () => void {
    const { field, drawn } = this.#parts;
    field.addEventListener("beforeinput", this.#handleBeforeInput);
    return () => {
      field.removeEventListener("beforeinput", this.#handleBeforeInput);
      drawn.setMentions([]);
    };
  }

  /** The field has another text. */
  textChanged(inputType?: string): void {
    const { value } = this.#parts.field;
    const isUndo = inputType === "historyUndo" || inputType === "historyRedo";
    if (value !== this.#text) {
      const back = isUndo ? this.#history.find(value) : null;
      this.#setMentions(value, back ?? shiftMentions(this.#text, this.#mentions, value));
    }
    if (isUndo) this.close();
    else this.updateQuery();
  }

  /** The text was replaced as a whole. */
  reset({ text, mentions }: TextWithMentions): void {
    this.#setMentions(text, mentions);
    this.close();
  }

  /** Looks for an `@` at the caret. */
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

  close(): void {
    this.#setQuery(null);
  }

  /** Who was chosen from the names. */
  pick(person: MentionTarget): void {
    const query = this.#query;
    if (query !== null)
      this.#insertMention(query.from, Math.max(query.to, this.#parts.field.selectionEnd), person);
  }

  /** Names people at the caret. */
  insertMentions(people: readonly MentionTarget[]): void {
    const { field } = this.#parts;
    field.focus({ preventScroll: true });
    for (const person of people) {
      if (!canMention(field.value, field.selectionStart)) insertText(field, " ");
      if (!this.#insertMention(field.selectionStart, field.selectionEnd, person)) return;
    }
  }

  /** True when the key was meant for the names, or for the caret beside one. */
  handleKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    if (this.#query !== null) {
      if (event.key === "Escape" && this.#parts.popover.current !== null) {
        this.#dismissedAt = this.#query.from;
        this.close();
        event.preventDefault();
        return true;
      }
      if (this.#parts.popover.current?.(event) === true) return true;
    }
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : null;
    if (step === null || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    const { selectionStart: caret, selectionEnd } = this.#parts.field;
    const to = caret === selectionEnd ? stepOverMention(caret, step, this.#mentions) : null;
    // In a script from right to left the arrows count the other way.
    if (to === null || getComputedStyle(this.#parts.field).direction === "rtl") return false;
    this.#parts.field.setSelectionRange(to, to);
    event.preventDefault();
    return true;
  }

  /** Names somebody in place of a part of the text. False: too many are named already. */
  #insertMention(from: number, to: number, { userId, name }: MentionTarget): boolean {
    const { field, composing } = this.#parts;
    if (composing.current) return false;
    const ids = new Set(this.#mentions.map((one) => one.userId));
    if (!ids.has(userId) && ids.size >= AT_LIST_MAX) {
      toasts.error(currentText()("naming.tooMany", { max: AT_LIST_MAX }));
      return false;
    }
    const word = encodeEmoticons(`@${name}`);
    const isApart = /\s/.test(field.value[to] ?? "");
    field.setSelectionRange(from, to);
    insertText(field, isApart ? word : `${word} `);
    const end = from + word.length;
    if (isApart) field.setSelectionRange(end + 1, end + 1);
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
    this.#parts.drawn.setMentions(mentions);
  }

  #setQuery(query: OpenMentionQuery | null): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#parts.onQuery(query);
  }

  /** One key takes a mention away. */
  #handleBeforeInput = (event: InputEvent) => {
    const { field, composing } = this.#parts;
    if (composing.current || event.isComposing || !event.cancelable) return;
    const atom = mentionToDelete(event.inputType, field, this.#mentions);
    if (atom === null) return;
    event.preventDefault();
    field.setSelectionRange(atom.from, atom.to);
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
