/** What the conversation of a group adds to that of two people: one file, which comes behind its first paint. */
export { MentionText } from "./message/bubbles/mention-text.tsx";
export { ReceiptTool } from "./composer/receipt-tool.tsx";
export { MentionButton } from "./timeline/mention-button.tsx";
export { MentionField } from "./composer/mentions/mention-field.ts";
export { MentionPopover } from "./composer/mentions/mention-popover.tsx";
export { avatarGestures } from "./message/avatar-gestures.ts";
