import type { DraftMention } from "@parley/core/model/state";

/** Draws what lies under the field: its text, unseen, with a mark where somebody is named. */
export function drawMarks(
  layer: HTMLElement,
  field: HTMLTextAreaElement,
  mentions: readonly DraftMention[],
): void {
  if (mentions.length === 0) {
    if (layer.firstChild !== null) layer.replaceChildren();
    return;
  }
  const text = field.value;
  const parts: (string | HTMLElement)[] = [];
  let end = 0;
  for (const { from, to } of mentions) {
    const mark = document.createElement("mark");
    mark.textContent = text.slice(from, to);
    parts.push(text.slice(end, from), mark);
    end = to;
  }
  // A last line that is empty has a height in the field too.
  parts.push(`${text.slice(end)}\u200b`);
  layer.replaceChildren(...parts);
  followField(layer, field);
}

/** The layer breaks its lines where the field does, and is scrolled as far. */
export function followField(layer: HTMLElement, field: HTMLTextAreaElement): void {
  layer.style.setProperty("--scroll-bar", `${field.offsetWidth - field.clientWidth}px`);
  layer.scrollTop = field.scrollTop;
}

/** Where a letter of the field begins, px from the left of the window. */
export function leftOf(layer: HTMLElement, field: HTMLTextAreaElement, index: number): number {
  const drawn = [...layer.childNodes];
  const trace = document.createElement("span");
  trace.textContent = "\u200b";
  layer.replaceChildren(field.value.slice(0, index), trace, field.value.slice(index));
  followField(layer, field);
  const { left } = trace.getBoundingClientRect();
  layer.replaceChildren(...drawn);
  followField(layer, field);
  return left;
}
