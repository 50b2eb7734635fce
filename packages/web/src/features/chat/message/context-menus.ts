/** The menus of a conversation: one file. */
export { MessageMenu } from "./message-menu.tsx";
export { PersonMenu } from "./person-menu.tsx";
