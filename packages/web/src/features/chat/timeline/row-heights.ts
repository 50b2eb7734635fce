import { messagesOf, type TimelineRow } from "@parley/core/model/chats/timeline";
import { mediaBox, pictureGrid } from "../message/media/picture-box.ts";
import { type RowEdges, edgesOf } from "../../../ui/row-range.ts";

/** The height of a text line, and the padding of a bubble (interface §3, §6). */
const LINE_PX = 21;
const BUBBLE_PX = 16;
const VOICE_PADDING_PX = 12;
const TIP_PX = 32;
const DIVIDER_PX = 36;
const GAP_PX = 12;
/** The sender's name above the first message of a run in a group. */
const NAME_PX = 20;
const RUN_GAP_PX = 2;
/** A row of chips below a bubble. */
const REACTIONS_PX = 32;
/** The width of a Han character; others have about half of it. */
const CHARACTER_PX = 14;
const BUBBLE_MAX_PX = 560;
const BUBBLE_PART = 0.68;

/** The heights of rows: measured, or estimated until first mounted. Heights belong to row keys, so rows can be inserted anywhere. */
export class RowHeights implements RowEdges {
  readonly #measured = new Map<string, number>();
  #rows: readonly TimelineRow[] = [];
  #indexes = new Map<string, number>();
  #width = 0;
  /** null: must be calculated again. */
  #edges: RowEdges | null = null;

  get count(): number {
    return this.#rows.length;
  }

  setRows(rows: readonly TimelineRow[]): void {
    this.#rows = rows;
    this.#indexes = new Map(rows.map((row, index) => [row.key, index]));
    this.#edges = null;
  }

  /** Sets the width of the list. A new width changes line breaks, so all measurements are dropped. */
  setWidth(width: number): void {
    if (width === this.#width) return;
    this.#width = width;
    this.#measured.clear();
    this.#edges = null;
  }

  /** Stores a measured height. Returns whether it changed. */
  setHeight(key: string, height: number): boolean {
    if (this.#measured.get(key) === height) return false;
    this.#measured.set(key, height);
    this.#edges = null;
    return true;
  }

  keyAt(index: number): string | undefined {
    return this.#rows[index]?.key;
  }

  indexOf(key: string): number {
    return this.#indexes.get(key) ?? -1;
  }

  edge(index: number): number {
    return this.#offsets().edge(index);
  }

  indexAt(y: number): number {
    return this.#offsets().indexAt(y);
  }

  #offsets(): RowEdges {
    this.#edges ??= edgesOf(this.#rows.length, (index) => {
      const row = this.#rows[index];
      return row === undefined ? 0 : (this.#measured.get(row.key) ?? estimateHeight(row, this.#width));
    });
    return this.#edges;
  }
}

/** An estimate of a row's height from its text, or from the size of its picture. */
function estimateHeight(row: TimelineRow, width: number): number {
  if (row.kind === "unread") return DIVIDER_PX;
  const [message] = messagesOf(row);
  if (message === undefined || row.kind === "time" || row.kind === "tip") return TIP_PX;
  const isFirst = row.runPosition === "single" || row.runPosition === "top";
  const name = isFirst && message.group !== null && !message.selfSend ? NAME_PX : 0;
  const reacted = messagesOf(row).filter(({ extra }) => (extra?.reactions ?? []).length > 0);
  const around = (isFirst ? GAP_PX : RUN_GAP_PX) + name + reacted.length * REACTIONS_PX;
  if (row.kind === "pictures") return around + pictureGrid(row.messages.length).height;
  const box = mediaBox(message);
  if (box !== null) return around + box.height + (box.variant === "voice" ? VOICE_PADDING_PX : 0);
  const bubble = width === 0 ? BUBBLE_MAX_PX : Math.min(BUBBLE_MAX_PX, width * BUBBLE_PART);
  const lineWidth = Math.max(CHARACTER_PX, bubble - 2 * BUBBLE_PX);
  let lines = 0;
  for (const paragraph of message.content.split("\n", 200)) {
    lines += Math.max(1, Math.ceil((textWidth(paragraph) * CHARACTER_PX) / lineWidth));
  }
  return around + BUBBLE_PX + lines * LINE_PX;
}

/** The width in full-width characters. */
function textWidth(text: string): number {
  let width = 0;
  for (let i = 0; i < text.length; i++) width += text.charCodeAt(i) < 0x2e80 ? 0.52 : 1;
  return width;
}
