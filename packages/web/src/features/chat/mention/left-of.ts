import { followField } from "../composer/field-layer.ts";

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
