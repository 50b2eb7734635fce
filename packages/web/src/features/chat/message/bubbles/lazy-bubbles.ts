/** Bubbles of kinds that most first screens do not show, and what few texts hold: one file, which comes with the first of them. */
export { CardBubble } from "./card-bubble.tsx";
export { CodeText } from "./code-text.tsx";
export { LocationBubble } from "./location-bubble.tsx";
export { MoneyBubble } from "./money-bubble.tsx";
export { NudgeBubble } from "./nudge-bubble.tsx";
