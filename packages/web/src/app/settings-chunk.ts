/** The settings, and how their tests get what they need of the browser. */
import { setAlertTests } from "../kit/settings/browser-checks.ts";
import { setCallChecks } from "../kit/settings/browser-checks.ts";
import { loadChunk } from "../kit/loading/load-chunk.ts";
import { sound } from "../platform/sound.ts";
import { testSystemNotification } from "../platform/test-notification.ts";
import { loadCallsChunk } from "./load-calls.ts";

setAlertTests({ playSound: () => sound.test("message"), showNotification: testSystemNotification });
setCallChecks(async () => (await loadChunk(loadCallsChunk)).callChecks);

export { SettingsDialog, SettingsScreen } from "../features/settings/settings-screen.tsx";
