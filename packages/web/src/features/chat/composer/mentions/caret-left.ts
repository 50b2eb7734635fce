import { syncLayer } from "../field-layer.ts";

/** The left edge of a character of the field, in px from the left of the window. */
export function caretLeft(layer: HTMLElement, field: HTMLTextAreaElement, index: number): number {
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
