/** The settings as a dialog and as a page, in one piece. */
export { SettingsDialog } from "./settings-dialog.tsx";
export { SettingsScreen } from "./settings-screen.tsx";
