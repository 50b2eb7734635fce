/** Bubbles of rare kinds, and the text with code: one file, loaded when the first of them is needed. */
export { CardBubble } from "./card-bubble.tsx";
export { CodeText } from "./code-text.tsx";
export { LocationBubble } from "./location-bubble.tsx";
export { MoneyBubble } from "./money-bubble.tsx";
export { NudgeBubble } from "./nudge-bubble.tsx";
