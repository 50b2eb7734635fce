import { isVisible } from "@parley/protocol/text";

/**
 * What a change of the text by its writer means to the others in the chat: `typed`, `emptied`, or nothing. One character may be a slip, and
 * what an input method is still composing is no text yet.
 */
export function typingChange(text: string, isComposing: boolean): "typed" | "emptied" | null {
  if (isComposing) return null;
  if (!isVisible(text)) return "emptied";
  return [...text.trim()].length > 1 ? "typed" : null;
}
