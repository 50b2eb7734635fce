/** What only group conversations need: one file, loaded after the first paint. */
export { MentionText } from "./message/bubbles/mention-text.tsx";
export { ReceiptTool } from "./composer/receipt-tool.tsx";
export { MentionButton } from "./timeline/mention-button.tsx";
export { MentionField } from "./composer/mentions/mention-field.ts";
export { MentionPopover } from "./composer/mentions/mention-popover.tsx";
export { avatarGestures } from "./message/avatar-gestures.ts";
export { GroupCallBar } from "./group-call-bar.tsx";
export { GroupCallButton } from "./group-call-button.tsx";
