/** What the conversation of a group adds to that of two people: one file, which comes behind its first paint. */
export { MentionText } from "./bubbles/mention-text.tsx";
export { ReceiptTool } from "./composer/receipt-tool.tsx";
export { MentionButton } from "./conversation/mention-button.tsx";
export { MentionField } from "./mention/mention-field.ts";
export { MentionPopover } from "./mention/mention-popover.tsx";
export { avatarGestures } from "./message/avatar-gestures.ts";
