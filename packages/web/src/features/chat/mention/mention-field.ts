import type { KeyboardEvent } from "react";
import { AT_LIST_MAX } from "@parley/protocol/limits";
import { shiftMentions } from "@parley/core/model/mentions";
import type { DraftMention } from "@parley/core/model/state";
import { currentText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { textIntoField, type Written } from "../composer/emoticon-chars.ts";
import type { FieldLayer } from "../composer/field-layer.ts";
import { insertText } from "../composer/field-text.ts";
import type { Named } from "../message/desk.ts";
import { atomAfter, atomBefore, stepOver } from "./mention-atoms.ts";
import { leftOf } from "./left-of.ts";
import { MentionPast } from "./mention-past.ts";
import { mayMention, mentionQueryAt } from "./mention-query.ts";
import type { OpenQuery, PressMention } from "./use-mentions.ts";

export interface MentionFieldParts {
  readonly field: HTMLTextAreaElement;
  /** Lies under the field, and is drawn by this. */
  readonly layer: HTMLElement;
  readonly drawn: FieldLayer;
  /** An input method is at work: the field and its caret are left alone. */
  readonly composing: { readonly current: boolean };
  /** What the names to choose from do with a key; null while they are closed. */
  readonly popover: { readonly current: PressMention | null };
  readonly onQuery: (query: OpenQuery | null) => void;
}

/**
 * Who is named in the field: ranges beside its text, which follow what is typed, are drawn under it, and are each taken away as a whole.
 * The field stays the browser's, with its undo: what is written here is written as if it were typed.
 */
export class MentionField {
  readonly #parts: MentionFieldParts;
  readonly #past = new MentionPast();
  #text: string;
  #mentions: readonly DraftMention[] = [];
  #query: OpenQuery | null = null;
  /** Where an `@` stands that nobody is wanted for. */
  #refused: number | null = null;

  constructor(parts: MentionFieldParts, mentions: readonly DraftMention[]) {
    this.#parts = parts;
    this.#text = parts.field.value;
    this.#keep(this.#text, mentions);
  }

  get written(): Written {
    return { text: this.#text, mentions: this.#mentions };
  }

  /** Begins to look after the field. Answers what ends it. */
  attach(): () => void {
    const { field, drawn } = this.#parts;
    field.addEventListener("beforeinput", this.#remove);
    return () => {
      field.removeEventListener("beforeinput", this.#remove);
      drawn.name([]);
    };
  }

  /** The field has another text. */
  changed(inputType?: string): void {
    const { value } = this.#parts.field;
    const isUndo = inputType === "historyUndo" || inputType === "historyRedo";
    if (value !== this.#text) {
      const back = isUndo ? this.#past.find(value) : null;
      this.#keep(value, back ?? shiftMentions(this.#text, this.#mentions, value));
    }
    if (isUndo) this.close();
    else this.look();
  }

  /** The text was replaced as a whole. */
  reset({ text, mentions }: Written): void {
    this.#keep(text, mentions);
    this.close();
  }

  /** Looks for an `@` at the caret. */
  look(): void {
    const { field, layer, composing } = this.#parts;
    if (composing.current) return;
    const { selectionStart: caret, selectionEnd, value } = field;
    const found = caret === selectionEnd ? mentionQueryAt(value, caret, this.#mentions) : null;
    if (found?.from !== this.#refused) this.#refused = null;
    if (found === null || this.#refused !== null) return this.close();
    if (this.#query?.from === found.from && this.#query.words === found.words) return;
    this.#open({ ...found, left: leftOf(layer, field, found.from) });
  }

  close(): void {
    this.#open(null);
  }

  /** Who was chosen from the names. */
  pick(person: Named): void {
    const query = this.#query;
    if (query !== null) this.#put(query.from, Math.max(query.to, this.#parts.field.selectionEnd), person);
  }

  /** Names people at the caret. */
  name(people: readonly Named[]): void {
    const { field } = this.#parts;
    field.focus({ preventScroll: true });
    for (const person of people) {
      if (!mayMention(field.value, field.selectionStart)) insertText(field, " ");
      if (!this.#put(field.selectionStart, field.selectionEnd, person)) return;
    }
  }

  /** True when the key was meant for the names, or for the caret beside one. */
  press(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    if (this.#query !== null) {
      if (event.key === "Escape" && this.#parts.popover.current !== null) {
        this.#refused = this.#query.from;
        this.close();
        event.preventDefault();
        return true;
      }
      if (this.#parts.popover.current?.(event) === true) return true;
    }
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : null;
    if (step === null || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    const { selectionStart: caret, selectionEnd } = this.#parts.field;
    const to = caret === selectionEnd ? stepOver(caret, step, this.#mentions) : null;
    // In a script from right to left the arrows count the other way.
    if (to === null || getComputedStyle(this.#parts.field).direction === "rtl") return false;
    this.#parts.field.setSelectionRange(to, to);
    event.preventDefault();
    return true;
  }

  /** Names somebody in place of a part of the text. False: too many are named already. */
  #put(from: number, to: number, { userId, name }: Named): boolean {
    const { field, composing } = this.#parts;
    if (composing.current) return false;
    const ids = new Set(this.#mentions.map((one) => one.userId));
    if (!ids.has(userId) && ids.size >= AT_LIST_MAX) {
      toasts.error(currentText()("naming.tooMany", { max: AT_LIST_MAX }));
      return false;
    }
    const word = textIntoField(`@${name}`);
    const isApart = /\s/.test(field.value[to] ?? "");
    field.setSelectionRange(from, to);
    insertText(field, isApart ? word : `${word} `);
    const end = from + word.length;
    if (isApart) field.setSelectionRange(end + 1, end + 1);
    const added = { userId, from, to: end };
    this.#keep(
      field.value,
      [...this.#mentions, added].toSorted((a, b) => a.from - b.from),
    );
    this.close();
    return true;
  }

  #keep(text: string, mentions: readonly DraftMention[]): void {
    this.#text = text;
    this.#mentions = mentions;
    this.#past.note(text, mentions);
    this.#parts.drawn.name(mentions);
  }

  #open(query: OpenQuery | null): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#parts.onQuery(query);
  }

  /** One key takes a mention away. */
  #remove = (event: InputEvent) => {
    const { field, composing } = this.#parts;
    if (composing.current || event.isComposing || !event.cancelable) return;
    const atom = atomOf(event.inputType, field, this.#mentions);
    if (atom === null) return;
    event.preventDefault();
    field.setSelectionRange(atom.from, atom.to);
    document.execCommand("delete");
  };
}

function atomOf(inputType: string, field: HTMLTextAreaElement, mentions: readonly DraftMention[]) {
  const { selectionStart: caret, selectionEnd, value } = field;
  if (caret !== selectionEnd) return null;
  switch (inputType) {
    case "deleteContentBackward":
    case "deleteWordBackward":
      return atomBefore(value, caret, mentions);
    case "deleteContentForward":
    case "deleteWordForward":
      return atomAfter(caret, mentions);
    default:
      return null;
  }
}
