/** The settings, and how their self-check gets what it needs of the browser. */
import { setCallChecks } from "../kit/call-checks.ts";
import { loadPart } from "../kit/load-part.ts";
import { loadCallsChunk } from "./load-calls.ts";

setCallChecks(async () => (await loadPart(loadCallsChunk)).callChecks);

export { SettingsDialog } from "../features/settings/settings-dialog.tsx";
export { SettingsScreen } from "../features/settings/settings-screen.tsx";
