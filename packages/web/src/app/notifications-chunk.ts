/** What tells of messages outside of the page, in one chunk that the first chat does not wait for. */
export { testSystemNotification } from "../platform/system-notification.ts";
export { startNotifications } from "./notifications.ts";
export { startPushedNotifications } from "./pushed-notifications.ts";
