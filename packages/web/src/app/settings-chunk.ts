/** The settings, in one chunk with what their self-check needs of the browser. */
import { setCallChecks } from "../kit/call-checks.ts";
import { callChecks } from "../platform/calls/call-checks.ts";

setCallChecks(callChecks);

export { SettingsDialog } from "../features/settings/settings-dialog.tsx";
export { SettingsScreen } from "../features/settings/settings-screen.tsx";
