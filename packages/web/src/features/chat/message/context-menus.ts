/** All context menus of a conversation, so that they are loaded as one file. */
export { MessageMenu } from "./message-menu.tsx";
export { PersonMenu } from "./person-menu.tsx";
